import type { Knex } from 'knex';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { Maker, Resource, ResourceVersion } from '../../../domain/resource.ts';
import { toStorableJson, toStorableText } from '../../../domain/storable.ts';
import { toBoundedPage, withinBytes, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { toResource, toResourceVersion } from './resource-rows.ts';

/** The kinds of resources that routines are: with several tasks, and with one. */
export const routineKinds = { many: 'routine', one: 'single_step_routine' } as const;

/** Which routines are listed; every field that is given has to fit. */
export interface RoutineViewFilter {
  kind: string;
  query?: string | undefined;
  agentId?: string | undefined;
  madeBy?: { type: Maker['type']; id: string } | undefined;
  deleted?: boolean | undefined;
}

interface RoutineViewRow {
  id: string;
  name: string;
  version: number;
  agent_id: string | null;
  document: JsonObject;
  owner: Maker | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

interface RoutineVersionRow {
  version: number;
  agent_id: string | null;
  document: JsonObject;
  made_by: Maker | null;
  created_at: Date;
}

const isSingle = `jsonb_array_length(v.document -> 'do') = 1`;

/** The names and texts of a routine, and the names and texts of its tasks. */
const routineVector = `to_tsvector('english', replace(replace(r.name, '-', ' '), '_', ' ') || ' ' || v.document::text)`;

/** The routines of one workspace and their versions, as resources. */
export function createRoutineViewRepository(trx: Knex) {
  return {
    /** Also finds a deleted routine. */
    findRoutine: async (id: string): Promise<Resource | null> => {
      const row = await routineRows(trx).where('r.id', id).first<RoutineViewRow | undefined>();
      return row ? toRoutineResource(row) : null;
    },

    /** Newest first; with a search best first and without a cursor. */
    listRoutines: (filter: RoutineViewFilter, page: PageRequest): Promise<Page<Resource>> =>
      listRoutines(trx, filter, page),

    /** Newest first. */
    listVersions: async (
      id: string,
      page: { before?: number | undefined; limit: number },
    ): Promise<ResourceVersion[]> => {
      const query = trx('routine_versions')
        .where({ routine_id: id })
        .select<RoutineVersionRow[]>('version', 'agent_id', 'document', 'made_by', 'created_at')
        .orderBy('version', 'desc')
        .limit(page.limit);
      if (page.before !== undefined) void query.where('version', '<', page.before);
      return (await query).map((row) => toResourceVersion({ ...row, attributes: toAttributes(row) }));
    },
  };
}

function routineRows(trx: Knex): Knex.QueryBuilder {
  return trx('routines as r')
    .join('routine_versions as v', (on) => on.on('v.routine_id', 'r.id').andOn('v.version', 'r.version'))
    .select('r.id', 'r.name', 'r.version', 'r.agent_id', 'v.document', 'r.owner')
    .select('r.created_at', 'r.updated_at', 'r.deleted_at')
    .select(trx.raw('octet_length(v.document::text) AS row_bytes'));
}

async function listRoutines(
  trx: Knex,
  { kind, query: words, agentId, madeBy, deleted = false }: RoutineViewFilter,
  { cursor, limit }: PageRequest,
): Promise<Page<Resource>> {
  const query = routineRows(trx).whereRaw(kind === routineKinds.one ? isSingle : `NOT ${isSingle}`);
  void (deleted ? query.whereNotNull('r.deleted_at') : query.whereNull('r.deleted_at'));
  if (agentId !== undefined) void query.where('r.agent_id', agentId);
  if (madeBy) {
    const field = { person: 'person', key: 'apiKeyId', agent: 'agentId' }[madeBy.type];
    void query.whereRaw('r.owner @> ?::jsonb', [toStorableJson({ type: madeBy.type, [field]: madeBy.id })]);
  }
  if (words === undefined) {
    if (cursor) void query.where('r.id', '<', cursor);
    const rows = await withinBytes<RoutineViewRow>(
      trx,
      query.orderBy('r.id', 'desc').limit(limit + 1),
      'id DESC',
    );
    return toBoundedPage(rows, limit, toRoutineResource);
  }
  const asked = [toStorableText(words)];
  void query
    .whereRaw(`${routineVector} @@ websearch_to_tsquery('english', ?)`, asked)
    .orderByRaw(`ts_rank(${routineVector}, websearch_to_tsquery('english', ?), 1) DESC, r.id DESC`, asked);
  const rows = (await query.limit(limit)) as RoutineViewRow[];
  return { items: rows.map(toRoutineResource), nextCursor: null };
}

function toRoutineResource(row: RoutineViewRow): Resource {
  const attributes = toAttributes(row);
  const kind = 'task' in attributes ? routineKinds.one : routineKinds.many;
  return toResource({ ...row, kind, tags: [], attributes, expires_at: null });
}

/** A routine with one task has that task and its names as attributes, any other one its document. */
function toAttributes({ agent_id, document }: Pick<RoutineViewRow, 'agent_id' | 'document'>): JsonObject {
  const agent = agent_id === null ? {} : { agentId: agent_id };
  const tasks = Array.isArray(document.do) ? document.do : [];
  const [only] = tasks;
  if (tasks.length !== 1 || !isJsonObject(only)) return { ...agent, document };
  const header = isJsonObject(document.document) ? document.document : {};
  const { namespace, name, summary } = header;
  const [task = {}] = Object.values(only);
  const texts = { namespace: toText(namespace), name: toText(name), description: toText(summary) };
  return { ...agent, ...texts, task };
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
