import type { Knex } from 'knex';
import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createResourceRepository, type ResourceFilter } from './resource-repository.ts';
import type { AuditType } from '../../../domain/audit.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Resource, ResourceCaller } from '../../../domain/resource.ts';
import { actsForOther } from '../../../domain/person.ts';
import { versionConflict, resourceNotFound } from '../resource-errors.ts';
import type { ResourceDependencies } from '../resource-dependencies.ts';
import type { NewResource, ResourceQuery, ResourceRevision, ResourceStore } from './resource-store.ts';

/** Keeps resources as rows of the table `resources`. */
export function createRowStore({ database }: Pick<ResourceDependencies, 'database'>): ResourceStore {
  const inWorkspace = <Result>({ workspaceId }: ResourceCaller, run: (trx: Knex) => Promise<Result>) =>
    database.inWorkspace(workspaceId, run);
  return {
    list: (caller, query) => inWorkspace(caller, (trx) => list(trx, toFilter(caller, query), query)),

    find: async (caller, id, { deleted = false } = {}) => {
      const found = await inWorkspace(caller, (trx) => createResourceRepository(trx).findResource(id));
      return found && isSeen(caller, found) && (deleted || found.deletedAt === null) ? found : null;
    },

    add: (caller, kind, resource) => inWorkspace(caller, (trx) => add(trx, { caller, kind, resource })),

    revise: (caller, revision) => inWorkspace(caller, (trx) => revise(trx, caller, revision)),

    delete: (caller, { id, expectedVersion }) =>
      inWorkspace(caller, async (trx) => {
        const found = await lock(trx, caller, id);
        if (found?.deletedAt !== null) throw resourceNotFound(id);
        refuseOtherVersion(found, expectedVersion);
        await createResourceRepository(trx).setDeleted(id, true);
        await record(trx, 'resource.deleted', { resource: found, caller });
      }),

    restore: (caller, id) =>
      inWorkspace(caller, async (trx) => {
        const found = await lock(trx, caller, id);
        if (!found) throw resourceNotFound(id);
        if (found.deletedAt === null) return found;
        await createResourceRepository(trx).setDeleted(id, false);
        await record(trx, 'resource.restored', { resource: found, caller });
        return { ...found, deletedAt: null };
      }),

    listVersions: (caller, { id, ...page }) =>
      inWorkspace(caller, (trx) => createResourceRepository(trx).listVersions(id, page)),
  };
}

/** A key that acts for one person sees no memory about another one. */
function isSeen({ onlyPerson }: ResourceCaller, { kind, attributes }: Resource): boolean {
  const { scope, person } = attributes;
  if (kind !== 'memory' || scope !== 'user') return true;
  return !actsForOther(onlyPerson, typeof person === 'string' ? person : null);
}

function toFilter(caller: ResourceCaller, query: ResourceQuery & { kinds: string[] }): ResourceFilter {
  const { tags, agentId, person, ...attributes } = query.filters;
  // The members of a team are objects with the id of an agent; a memory has the id itself.
  const isTeam = query.kinds.length === 1 && query.kinds[0] === 'team';
  const agent: JsonObject = isTeam
    ? { members: [{ agentId: agentId ?? null }] }
    : { agentId: agentId ?? null };
  return {
    kinds: query.kinds,
    tags: Array.isArray(tags) ? tags.map(String) : [],
    attributes: {
      ...attributes,
      ...(agentId === undefined ? {} : agent),
      ...(person === undefined ? {} : { person }),
    },
    onlyPerson: caller.onlyPerson,
    madeBy: query.madeBy,
    deleted: query.deleted,
  };
}

async function list(trx: Knex, filter: ResourceFilter, { query, cursor, limit }: ResourceQuery) {
  const resources = createResourceRepository(trx);
  if (query === undefined) return resources.listResources(filter, { cursor, limit });
  const found = await resources.search({ words: query, anyWord: false, filter, limit });
  return { items: found.map(({ resource }) => resource), nextCursor: null };
}

interface Addition {
  caller: ResourceCaller;
  kind: string;
  resource: NewResource;
}

async function add(trx: Knex, { caller, kind, resource }: Addition): Promise<Resource> {
  const resources = createResourceRepository(trx);
  const row = { ...resource, kind, tags: tagsOf(resource.attributes), owner: caller.maker };
  const isNew = await resources.addResource(row);
  const stored = await resources.findResource(resource.id);
  // A resource with this id in another workspace is not seen here; one about another person is not shown to the caller.
  if (!stored || stored.kind !== kind || !isSeen(caller, stored))
    throw new HoldfastError('CONFLICT', 'The id of the resource is taken.');
  if (isNew) await record(trx, 'resource.created', { resource: stored, caller });
  return stored;
}

async function revise(
  trx: Knex,
  caller: ResourceCaller,
  { id, expectedVersion, requestId, change, isWhole = false, toContent }: ResourceRevision,
): Promise<Resource> {
  const resources = createResourceRepository(trx);
  const found = await lock(trx, caller, id);
  if (found?.deletedAt !== null) throw resourceNotFound(id);
  if (requestId !== null && (await resources.findByRequest(requestId)) === id) return found;
  refuseOtherVersion(found, expectedVersion);
  const content = await toContent(isWhole ? change : { ...found.attributes, ...change });
  const version = { ...content, id, tags: tagsOf(content.attributes), madeBy: caller.maker, requestId };
  await resources.addVersion(version);
  const revised = await resources.findResource(id);
  if (!revised) throw new Error('a revised resource did not come back');
  await record(trx, 'resource.updated', { resource: revised, caller });
  return revised;
}

async function lock(trx: Knex, caller: ResourceCaller, id: string): Promise<Resource | null> {
  const found = await createResourceRepository(trx).lockResource(id);
  const isGone = found?.expiresAt != null && Date.parse(found.expiresAt) <= Date.now();
  return found && !isGone && isSeen(caller, found) ? found : null;
}

function refuseOtherVersion(found: Resource, expected: number | undefined): void {
  if (expected !== undefined && expected !== found.version) throw versionConflict(found, expected);
}

function tagsOf({ tags }: JsonObject): string[] {
  return Array.isArray(tags) ? tags.map(String) : [];
}

interface Recorded {
  resource: Resource;
  caller: ResourceCaller;
}

/** The audit log has no content: a memory about a person is forgotten, and the log stays. */
async function record(trx: Knex, type: AuditType, { resource, caller: { maker } }: Recorded): Promise<void> {
  const { id, kind, version } = resource;
  const by = { type: maker.type, person: maker.person, api_key_id: maker.apiKeyId, agent_id: maker.agentId };
  const payload = { kind, version, by, turn_id: maker.turnId };
  await createAuditLog(trx).record({ type, subjectId: id, payload });
}
