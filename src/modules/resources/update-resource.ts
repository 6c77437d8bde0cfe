import type { Resource, ResourceCaller } from '../../domain/resource.ts';
import { toKeyedId } from '../../platform/lib/ids.ts';
import { getResource } from './find-resources.ts';
import { parseInput } from './parse-input.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { toContent } from './resource-content.ts';
import { resourceNotFound } from './resource-errors.ts';
import { getResourceKind } from './resource-kinds.ts';
import { getStore } from './stores/resource-stores.ts';

/** A change of a resource, which makes a new version. */
export interface ResourceUpdate {
  id: string;
  /** The kind that the caller takes it for. @default any */
  kind?: string | undefined;
  /** The attributes that are replaced; the others stay. Not checked yet. */
  attributes: unknown;
  expectedVersion?: number | undefined;
  /** The key of the request: a repetition with the same one makes no other version. @default none */
  key?: string | undefined;
}

/**
 * Makes a new version of a resource.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT` with every wrong field, `CONFLICT` when `expectedVersion` is not the
 * present version
 */
export async function updateResource(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { id, kind, attributes, expectedVersion, key }: ResourceUpdate,
): Promise<Resource> {
  const found = await getResource(dependencies, caller, { id, kind, access: 'write' });
  const known = getResourceKind(found.kind);
  const change = parseInput(known.change, attributes, 'attributes');
  const context = { dependencies, caller };
  const requestId = key === undefined ? null : toKeyedId(caller.workspaceId, 'resource version', key);
  return getStore(dependencies, known).revise(caller, {
    ...{ id, expectedVersion, requestId, change },
    toContent: (merged) => toContent(known, merged, context),
  });
}

/** A resource to delete or to restore. */
export interface ResourceReference {
  id: string;
  /** The kind that the caller takes it for. @default any */
  kind?: string | undefined;
  expectedVersion?: number | undefined;
}

/**
 * Deletes a resource: it is not found any more, and can be restored for 30 days.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT` when `expectedVersion` is not the present version
 */
export async function deleteResource(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { id, kind, expectedVersion }: ResourceReference,
): Promise<void> {
  const found = await getResource(dependencies, caller, { id, kind, access: 'write' });
  await getStore(dependencies, getResourceKind(found.kind)).delete(caller, { id, expectedVersion });
}

/**
 * Takes back that a resource was deleted; with `version` also makes a new version with the attributes of that one.
 * @throws HoldfastError `NOT_FOUND`, also for a version that it never had
 */
export async function restoreResource(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Resource> {
  const found = await getResource(dependencies, caller, { id, deleted: true, access: 'write' });
  const kind = getResourceKind(found.kind);
  const store = getStore(dependencies, kind);
  if (version === undefined) return store.restore(caller, id);
  const [before] = await store.listVersions(caller, { id, before: version + 1, limit: 1 });
  if (before?.version !== version) throw resourceNotFound(`${id} with version ${version}`);
  const restored = await store.restore(caller, id);
  if (restored.version === version) return restored;
  return store.revise(caller, {
    ...{ id, requestId: null, change: before.attributes, isWhole: true },
    toContent: (attributes) => toContent(kind, attributes, { dependencies, caller }),
  });
}
