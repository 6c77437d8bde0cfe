import type { Knex } from 'knex';
import type { JsonObject } from '../../../domain/json.ts';
import type { Maker, Resource, ResourceVersion } from '../../../domain/resource.ts';
import { toStorableJson, toStorableText } from '../../../domain/storable.ts';
import { toBoundedPage, withinBytes, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { toResource, toResourceVersion, type ResourceRow, type ResourceVersionRow } from './resource-rows.ts';

/** The attributes of a version, with what rows and searches need of them. */
export interface ResourceContent {
  name: string;
  tags: string[];
  attributes: JsonObject;
  expiresAt?: Date | null | undefined;
  /** The text that searches find it by. */
  text: string;
}

interface NewRow extends ResourceContent {
  id: string;
  kind: string;
  scope: string | null;
  owner: Maker;
}

interface NewVersionRow extends ResourceContent {
  id: string;
  madeBy: Maker;
  requestId: string | null;
}

/** A search: a resource is listed when it fits every field that is given. */
export interface ResourceFilter {
  kinds: string[];
  ids?: string[] | undefined;
  tags?: string[] | undefined;
  /** Attributes that have these values. */
  attributes?: JsonObject | undefined;
  /** Only memories of these scopes. */
  scopes?: string[] | undefined;
  /** No memories about another person. */
  onlyPerson?: string | null | undefined;
  madeBy?: { type: Maker['type']; id: string } | undefined;
  deleted?: boolean | undefined;
}

interface ResourceSearch {
  words: string;
  /** Whether one of the words is enough; otherwise the syntax of web searches holds. */
  anyWord: boolean;
  filter: ResourceFilter;
  limit: number;
}

/** A search ranks this many resources at most before its filters choose among them. */
const mostRanked = 1000;

/** The longest text that is made searchable, in characters. A search vector may have 1 MiB. */
const longestText = 100_000;

/** The resources of one workspace and their numbered versions, which never change. */
export function createResourceRepository(trx: Knex) {
  const findResource = async (id: string): Promise<Resource | null> => {
    const row = await resourceRows(trx).where('r.id', id).first();
    return row ? toResource(row) : null;
  };
  return {
    /** Also finds a deleted one, and a memory that has expired. */
    findResource,

    /** Locks the row until the transaction ends. */
    lockResource: async (id: string): Promise<Resource | null> => {
      const locked = await trx('resources').where({ id }).forUpdate().first<{ id: string } | undefined>('id');
      return locked ? findResource(id) : null;
    },

    /** Returns the ids of resources that exist, are not deleted, and are no memories about another person. */
    listExisting: (ids: string[], onlyPerson: string | null): Promise<string[]> =>
      hideOthers(trx('resources as r').whereIn('r.id', ids), onlyPerson)
        .whereNull('r.deleted_at')
        .pluck('r.id'),

    /** Adds a resource with version 1, unless one with its id is there. Returns whether it was added. */
    addResource: (row: NewRow): Promise<boolean> => addResource(trx, row),

    /** Adds a version. The resource is locked already. */
    addVersion: (version: NewVersionRow): Promise<void> => addVersion(trx, version),

    /** The resource that a request has made a version of. */
    findByRequest: async (requestId: string): Promise<string | undefined> => {
      const [id] = await trx('resource_versions')
        .where('request_id', requestId)
        .pluck<string[]>('resource_id');
      return id;
    },

    setDeleted: async (id: string, isDeleted: boolean): Promise<void> => {
      await trx('resources')
        .where({ id })
        .update({ deleted_at: isDeleted ? trx.fn.now() : null, updated_at: trx.fn.now() });
    },

    /** Newest first. */
    listResources: async (
      filter: ResourceFilter,
      { cursor, limit }: PageRequest,
    ): Promise<Page<Resource>> => {
      const query = filtered(resourceRows(trx), filter)
        .select(trx.raw('pg_column_size(v.attributes) AS row_bytes'))
        .orderBy('r.id', 'desc');
      if (cursor) void query.where('r.id', '<', cursor);
      const rows = await withinBytes<ResourceRow>(trx, query.limit(limit + 1), 'id DESC');
      return toBoundedPage(rows, limit, toResource);
    },

    /** Best first, with their scores. */
    search: (search: ResourceSearch): Promise<{ resource: Resource; score: number }[]> =>
      searchResources(trx, search),

    /** Newest first. */
    listVersions: async (
      id: string,
      page: { before?: number | undefined; limit: number },
    ): Promise<ResourceVersion[]> => {
      const query = trx('resource_versions')
        .where('resource_id', id)
        .orderBy('version', 'desc')
        .limit(page.limit);
      if (page.before !== undefined) void query.where('version', '<', page.before);
      return ((await query) as ResourceVersionRow[]).map(toResourceVersion);
    },
  };
}

type Rows = Knex.QueryBuilder<ResourceRow, ResourceRow[]>;

function resourceRows(trx: Knex): Rows {
  return trx('resources as r')
    .join('resource_versions as v', (on) => on.on('v.resource_id', 'r.id').andOn('v.version', 'r.version'))
    .select('r.*', 'v.attributes') as Rows;
}

function filtered(query: Rows, filter: ResourceFilter): Rows {
  const { kinds, ids, tags = [], attributes = {}, scopes, onlyPerson, madeBy, deleted = false } = filter;
  void query.whereIn('r.kind', kinds);
  if (ids) void query.whereIn('r.id', ids);
  if (tags.length > 0) void query.whereRaw('r.tags @> ?::text[]', [tags]);
  if (Object.keys(attributes).length > 0)
    void query.whereRaw('v.attributes @> ?::jsonb', [toStorableJson(attributes)]);
  if (scopes) void query.whereIn('r.scope', scopes);
  void hideOthers(query, onlyPerson);
  if (madeBy) void query.whereRaw('r.owner @> ?::jsonb', [toStorableJson(toOwnerPattern(madeBy))]);
  void (deleted ? query.whereNotNull('r.deleted_at') : query.whereNull('r.deleted_at'));
  return query.whereRaw('(r.expires_at IS NULL OR r.expires_at > now())');
}

/** Leaves out memories about other people than `onlyPerson`, if there is one. */
function hideOthers<Query extends Knex.QueryBuilder>(
  query: Query,
  onlyPerson: string | null | undefined,
): Query {
  if (typeof onlyPerson === 'string')
    void query.whereRaw(`(r.scope IS NULL OR r.scope NOT LIKE 'user:%' OR r.scope = ?)`, [
      `user:${onlyPerson}`,
    ]);
  return query;
}

function toOwnerPattern({ type, id }: { type: Maker['type']; id: string }): JsonObject {
  return { type, [{ person: 'person', key: 'apiKeyId', agent: 'agentId' }[type]]: id };
}

async function searchResources(trx: Knex, search: ResourceSearch) {
  const { filter, limit } = search;
  const found = filter.deleted ? findDeleted(trx, search) : findIndexed(trx, search);
  const query = filtered(resourceRows(trx), filter)
    .join(found as unknown as string, (on) => on.on('found.id', 'r.id'))
    .select('found.score')
    .orderBy([
      { column: 'found.score', order: 'desc' },
      { column: 'r.id', order: 'desc' },
    ])
    .limit(limit);
  const rows = (await query) as (ResourceRow & { score: number })[];
  return rows.map((row) => ({ resource: toResource(row), score: row.score }));
}

function findIndexed(trx: Knex, { words, anyWord, filter }: ResourceSearch): Knex.Raw {
  const { kinds, scopes = null, onlyPerson = null } = filter;
  return trx.raw(
    'search_resources(?::text, ?::boolean, ?::text[], ?::text[], ?::text, ?::integer) AS found',
    [toStorableText(words), anyWord, kinds, scopes, onlyPerson, mostRanked],
  );
}

/** `search_resources` finds no deleted ones. They are removed after some weeks, so each of them can be compared. */
function findDeleted(trx: Knex, { words, anyWord }: ResourceSearch): Knex.Raw {
  return trx.raw(
    `(SELECT d.id, ts_rank(d.search, query.terms, 1) AS score
      FROM (SELECT resource_query(?::text, ?::boolean) AS terms) AS query
      JOIN resources AS d ON d.deleted_at IS NOT NULL AND d.search @@ query.terms AND numnode(query.terms) > 0) AS found`,
    [toStorableText(words), anyWord],
  );
}

function toVector(trx: Knex, { name, tags, text }: ResourceContent): Knex.Raw {
  return trx.raw('resource_vector(current_workspace(), ?::text, ?::text[], ?::text)', [
    toStorableText(name),
    tags.map(toStorableText),
    toStorableText(text.slice(0, longestText)),
  ]);
}

function toColumns(trx: Knex, content: ResourceContent) {
  return {
    name: toStorableText(content.name),
    tags: content.tags.map(toStorableText),
    search: toVector(trx, content),
    ...(content.expiresAt === undefined ? {} : { expires_at: content.expiresAt }),
  };
}

async function addResource(trx: Knex, { id, kind, scope, owner, ...content }: NewRow): Promise<boolean> {
  const json = JSON.stringify(owner);
  const added = await trx('resources')
    .insert({ id, kind, scope, owner: json, ...toColumns(trx, content) })
    .onConflict('id')
    .ignore()
    .returning('id');
  if (added.length === 0) return false;
  const attributes = toStorableJson(content.attributes);
  await trx('resource_versions').insert({ resource_id: id, version: 1, attributes, made_by: json });
  return true;
}

async function addVersion(trx: Knex, { id, madeBy, requestId, ...content }: NewVersionRow): Promise<void> {
  const [row] = await trx('resources')
    .where({ id })
    .update({ ...toColumns(trx, content), version: trx.raw('version + 1'), updated_at: trx.fn.now() })
    .returning<{ version: number }[]>('version');
  await trx('resource_versions').insert({
    resource_id: id,
    version: row?.version,
    attributes: toStorableJson(content.attributes),
    made_by: JSON.stringify(madeBy),
    request_id: requestId,
  });
}
