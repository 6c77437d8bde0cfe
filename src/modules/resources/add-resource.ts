import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Resource, ResourceCaller } from '../../domain/resource.ts';
import { newId, toKeyedId } from '../../platform/lib/ids.ts';
import { authorizeKind } from './authorize-kind.ts';
import { parseInput } from './parse-input.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { getResourceKind } from './resource-kinds.ts';
import { getStore } from './stores/resource-stores.ts';
import { toContent } from './resource-content.ts';

/** A resource to add. */
export interface ResourceAddition {
  kind: string;
  /** Not checked yet. */
  attributes: unknown;
  /** The key of the request: with the same one the resource is found again. @default none */
  key?: string | undefined;
}

/**
 * Adds a resource with version 1.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field; `FORBIDDEN` for a kind whose own API the caller may not
 * use, and for a memory about another person than the one for whom the key acts; for an agent what `createAgent` throws
 */
export async function addResource(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { kind, attributes: input, key }: ResourceAddition,
): Promise<Resource> {
  const found = getResourceKind(kind);
  authorizeKind(caller, kind, 'write');
  const attributes: JsonObject = parseInput(found.attributes, input, 'attributes');
  const scope = found.scopeOf?.(attributes) ?? null;
  refuseOtherPerson(caller, scope);
  const context = { dependencies, caller };
  const content = await toContent(found, attributes, context);
  const id = key === undefined ? newId() : toKeyedId(caller.workspaceId, 'resource', key);
  return getStore(dependencies, found).add(caller, kind, { id, scope, ...content });
}

function refuseOtherPerson({ onlyPerson }: ResourceCaller, scope: string | null): void {
  if (onlyPerson === null || !scope?.startsWith('user:') || scope === `user:${onlyPerson}`) return;
  throw new HoldfastError(
    'FORBIDDEN',
    `This API key acts for ${onlyPerson}, and keeps memories about nobody else.`,
  );
}
