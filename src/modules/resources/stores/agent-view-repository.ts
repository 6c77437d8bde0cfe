import type { Knex } from 'knex';
import type { Maker, Resource, ResourceVersion } from '../../../domain/resource.ts';
import { toStorableJson, toStorableText } from '../../../domain/storable.ts';
import { toBoundedPage, withinBytes, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { toResource, toResourceVersion, type ResourceRow, type ResourceVersionRow } from './resource-rows.ts';

/** Which agents are listed; every field that is given has to fit. */
export interface AgentViewFilter {
  query?: string | undefined;
  model?: string | undefined;
  madeBy?: { type: Maker['type']; id: string } | undefined;
  deleted?: boolean | undefined;
}

/** The fields of an agent version that are attributes of the resource. */
const attributes = `jsonb_build_object('name', v.name, 'model', v.model, 'instructions', v.instructions, 'limits', v.limits,
  'execution', v.execution, 'tools', jsonb_path_query_array(v.available_tools, '$[*].name'))`;

const agentVector = `to_tsvector('english', v.name || ' ' || v.instructions)`;

/** The agents of one workspace and their versions, as resources of the kind `agent`. */
export function createAgentViewRepository(trx: Knex) {
  return {
    /** Also finds a deleted agent, unless it was deleted for good. */
    findAgent: async (id: string): Promise<Resource | null> => {
      const row = await agentRows(trx).where('a.id', id).first();
      return row ? toResource(row) : null;
    },

    /** Newest first; with a search best first and without a cursor. */
    listAgents: (filter: AgentViewFilter, page: PageRequest): Promise<Page<Resource>> =>
      listAgents(trx, filter, page),

    /** Takes back that an agent was deleted. Returns whether it was deleted, but not for good. */
    restoreAgent: async (id: string): Promise<boolean> =>
      (await trx('agents')
        .where({ id, erased_at: null })
        .whereNotNull('deleted_at')
        .update({ deleted_at: null })) > 0,

    /** Newest first. */
    listVersions: async (
      id: string,
      page: { before?: number | undefined; limit: number },
    ): Promise<ResourceVersion[]> => {
      const query = trx('agent_versions as v')
        .where('v.agent_id', id)
        .select('v.version', 'v.created_at', 'v.made_by', trx.raw(`${attributes} AS attributes`))
        .orderBy('v.version', 'desc')
        .limit(page.limit);
      if (page.before !== undefined) void query.where('v.version', '<', page.before);
      return ((await query) as ResourceVersionRow[]).map(toResourceVersion);
    },
  };
}

type Rows = Knex.QueryBuilder<ResourceRow, ResourceRow[]>;

function agentRows(trx: Knex): Rows {
  return trx('agents as a')
    .join('agent_versions as v', (on) => on.on('v.agent_id', 'a.id').andOn('v.version', 'a.current_version'))
    .whereNull('a.erased_at')
    .select('a.id', 'v.name', 'v.version', 'a.owner', 'a.created_at', 'a.updated_at', 'a.deleted_at')
    .select(
      trx.raw(
        `'agent' AS kind, '{}'::text[] AS tags, NULL::timestamptz AS expires_at, ${attributes} AS attributes`,
      ),
    )
    .select(trx.raw('octet_length(v.instructions) AS row_bytes')) as Rows;
}

async function listAgents(
  trx: Knex,
  { query: words, model, madeBy, deleted = false }: AgentViewFilter,
  { cursor, limit }: PageRequest,
): Promise<Page<Resource>> {
  const query = agentRows(trx);
  void (deleted ? query.whereNotNull('a.deleted_at') : query.whereNull('a.deleted_at'));
  if (model !== undefined) void query.where('v.model', model);
  if (madeBy) {
    const field = { person: 'person', key: 'apiKeyId', agent: 'agentId' }[madeBy.type];
    void query.whereRaw('a.owner @> ?::jsonb', [toStorableJson({ type: madeBy.type, [field]: madeBy.id })]);
  }
  if (words === undefined) {
    if (cursor) void query.where('a.id', '<', cursor);
    const rows = await withinBytes<ResourceRow>(
      trx,
      query.orderBy('a.id', 'desc').limit(limit + 1),
      'id DESC',
    );
    return toBoundedPage(rows, limit, toResource);
  }
  const asked = [toStorableText(words)];
  void query
    .whereRaw(`${agentVector} @@ websearch_to_tsquery('english', ?)`, asked)
    .orderByRaw(`ts_rank(${agentVector}, websearch_to_tsquery('english', ?), 1) DESC, a.id DESC`, asked);
  return { items: (await query.limit(limit)).map(toResource), nextCursor: null };
}
