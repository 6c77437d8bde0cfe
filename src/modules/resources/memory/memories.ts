import { createResourceRepository } from '../stores/resource-repository.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Resource } from '../../../domain/resource.ts';
import {
  wrongArgument,
  type MemoryInput,
  type MemorySearch,
} from '../../../engines/tools/functions/resource-service.ts';
import { addResource } from '../add-resource.ts';
import type { AgentCaller } from '../agent-caller.ts';
import { getResource } from '../find-resources.ts';
import { toMemoryScope, type MemorySubject } from './memory-scope.ts';
import { resourceNotFound } from '../resource-errors.ts';
import type { ResourceDependencies } from '../resource-dependencies.ts';
import { updateResource } from '../update-resource.ts';

const kind = 'memory';

/** A search takes the best of so many results, before the age of each is weighed. */
const mostWeighed = 200;

/** The age at which the weight of a memory has lost half of what it loses, in days. */
const halfLifeDays = 30;

/**
 * Keeps a memory for an agent, about the person for whom its turn was started, or for the workspace.
 * @throws HoldfastError `INVALID_INPUT` for a memory about no person, `NOT_FOUND` for a memory that the agent may not see
 */
export async function remember(
  dependencies: ResourceDependencies,
  caller: AgentCaller,
  { scope, replaces, content, tags, ttlSeconds }: MemoryInput,
): Promise<JsonObject> {
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
  const attributes = { content, tags, ...ttl };
  const { key } = caller;
  if (replaces === undefined) {
    const subject = toSubject(caller, scope);
    return toMemory(
      await addResource(dependencies, caller, { kind, attributes: { ...subject, ...attributes }, key }),
    );
  }
  const known = await getResource(dependencies, caller, { id: replaces, kind });
  // An agent that gets the id of a memory of another agent may not change it.
  if (!listScopes(caller).includes(scopeOf(known))) throw resourceNotFound(replaces);
  return toMemory(await updateResource(dependencies, caller, { id: replaces, kind, attributes, key }));
}

/**
 * Finds memories that an agent may see: its own, those about the person for whom its turn was started, and those of the
 * workspace. One of the words is enough; memories with more and rarer words come first, and newer ones before older ones.
 * @throws HoldfastError `INVALID_INPUT` for the memories about no person
 */
export async function recall(
  { database }: ResourceDependencies,
  caller: AgentCaller,
  { query, scope, tags, limit }: MemorySearch,
): Promise<JsonObject[]> {
  const scopes = scope === undefined ? listScopes(caller) : [toMemoryScope(toSubject(caller, scope))];
  const filter = { kinds: [kind], scopes, tags };
  const found = await database.inWorkspace(caller.workspaceId, async (trx) => {
    const resources = createResourceRepository(trx);
    if (query === undefined) return (await resources.listResources(filter, { limit })).items;
    return weigh(await resources.search({ words: query, anyWord: true, filter, limit: mostWeighed }));
  });
  return found.slice(0, limit).map(toMemory);
}

function weigh(found: { resource: Resource; score: number }[]): Resource[] {
  const now = Date.now();
  const weighed = found.map(({ resource, score }) => {
    const days = (now - Date.parse(resource.updatedAt)) / 86_400_000;
    return { resource, weight: score * (0.5 + 0.5 * 0.5 ** (days / halfLifeDays)) };
  });
  return weighed.sort((one, other) => other.weight - one.weight).map(({ resource }) => resource);
}

function toSubject({ agentId, person }: AgentCaller, scope: MemoryInput['scope']): MemorySubject {
  if (scope === 'workspace') return { scope };
  if (scope === 'agent') return { scope, agentId };
  if (person !== null) return { scope, person };
  throw wrongArgument('scope', 'expected agent or workspace: this turn was started for no person');
}

function listScopes({ agentId, person }: AgentCaller): string[] {
  const own: MemorySubject[] = [{ scope: 'agent', agentId }, { scope: 'workspace' }];
  if (person !== null) own.push({ scope: 'user', person });
  return own.map(toMemoryScope);
}

function scopeOf({ attributes }: Resource): string {
  return toMemoryScope(attributes as unknown as MemorySubject);
}

function toMemory({ id, attributes, updatedAt, expiresAt }: Resource): JsonObject {
  const { scope, content, tags } = attributes;
  return { id, scope: scope ?? '', content: content ?? '', tags: tags ?? [], updatedAt, expiresAt };
}
