import type { Knex } from 'knex';
import type { Agent, AgentDraft, AgentVersion } from '../../domain/agent.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { Maker } from '../../domain/resource.ts';
import { noRules } from '../../domain/rules.ts';
import type { Tool, ToolInput, ToolSettings } from '../../domain/tool.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toBoundedPage, withinBytes, type Page, type PageRequest } from '../../platform/database/page.ts';
import {
  insertRevision,
  insertToolSettings,
  insertVersion,
  toColumns,
  type AgentRevision,
} from './agent-revision.ts';
import { toAgent, toVersion, versionBytes, type AgentRow, type VersionRow } from './agent-rows.ts';

/** Where versions are stored, and who makes them. */
interface VersionStore {
  trx: Knex;
  madeBy: Maker | null;
}

/** The agents of one workspace and their numbered versions, which never change. New versions have the maker `madeBy`. */
export function createAgentRepository(trx: Knex, madeBy: Maker | null = null) {
  const store = { trx, madeBy };
  return {
    createAgent: (input: AgentDraft): Promise<Agent> => createAgent(store, input),

    /** @throws HoldfastError `NOT_FOUND`, also for an agent that was deleted */
    getAgent: async (id: string): Promise<Agent> => {
      const row = await agentRows(trx).where('a.id', id).first();
      if (!row) throw agentNotFound(id);
      return toAgent(row);
    },

    /** The names of those agents that are not deleted, by their ids. */
    findAgentNames: async (ids: string[]): Promise<Map<string, Pick<Agent, 'name'>>> => {
      const rows = await agentVersions(trx)
        .whereIn('a.id', ids)
        .select<{ id: string; name: string }[]>('a.id', 'v.name');
      return new Map(rows.map(({ id, name }) => [id, { name }]));
    },

    /** How many agents name each model, also as one that answers for another. */
    countModels: (): Promise<Map<string, number>> => countModels(trx),

    /** Lists agents, newest first. */
    listAgents: async ({ cursor, limit }: PageRequest): Promise<Page<Agent>> => {
      const query = agentRows(trx)
        .select(trx.raw(`${versionBytes('v')} AS row_bytes`))
        .orderBy('a.id', 'desc');
      if (cursor) void query.where('a.id', '<', cursor);
      const rows = await withinBytes<AgentRow>(trx, query.limit(limit + 1), 'agent_id DESC');
      return toBoundedPage(rows, limit, toAgent);
    },

    /**
     * Makes a new version: the newest one with the fields of a change.
     * @throws HoldfastError `NOT_FOUND`
     */
    updateAgent: (id: string, change: AgentRevision): Promise<Agent> => updateAgent(store, id, change),

    /**
     * Makes a new version: the newest one with the settings of a tool that `revise` returns.
     * @throws HoldfastError `NOT_FOUND`, also for a tool that the agent does not have
     */
    reviseToolSettings: (id: string, change: ToolChange): Promise<Agent> =>
      reviseToolSettings(store, id, change),

    /**
     * Makes a new version: the newest one with what `revise` returns. The agent is locked until the transaction ends.
     * @throws HoldfastError `NOT_FOUND`, and what `revise` throws
     */
    reviseAgent: (id: string, revise: Revise): Promise<Agent> => reviseAgent(store, id, revise),

    /**
     * Marks an agent as deleted. Its versions, conversations and turns stay.
     * @throws HoldfastError `NOT_FOUND`
     */
    deleteAgent: async (id: string): Promise<void> => {
      const deleted = await trx('agents')
        .where({ id, deleted_at: null })
        .update({ deleted_at: trx.fn.now() });
      if (deleted === 0) throw agentNotFound(id);
    },

    /**
     * Returns the number of the newest version, which stays the newest until the transaction ends.
     * @throws HoldfastError `NOT_FOUND`, also for an agent that was deleted
     */
    lockVersion: async (id: string): Promise<number> => {
      const row = await trx('agents')
        .where({ id, deleted_at: null })
        .forUpdate()
        .first<{ current_version: number } | undefined>('current_version');
      if (!row) throw agentNotFound(id);
      return row.current_version;
    },

    /**
     * Finds an agent by its name. Until the transaction ends, other transactions that ask for the same name wait, so that
     * the name is still free when the caller makes an agent with it.
     */
    findNamed: async (name: string): Promise<{ id: string } | null> => {
      await trx.raw(
        "SELECT pg_advisory_xact_lock(hashtextextended('agent ' || current_workspace()::text || ' ' || ?, 0))",
        [name],
      );
      const found = await agentVersions(trx).where('v.name', name).first<{ id: string } | undefined>('a.id');
      return found ?? null;
    },

    /**
     * Marks an agent as deleted for good, also one that is deleted already: it is removed afterwards, with its
     * versions, conversations and turns.
     * @throws HoldfastError `NOT_FOUND`, or `TURN_RUNNING` while one of its turns runs or waits
     */
    eraseAgent: (id: string): Promise<void> => eraseAgent(trx, id),

    /** Lists versions, newest first; also those of a deleted agent, because turns point to them. */
    listVersions: (page: PageRequest & { agentId: string }) => listVersions(trx, page),

    /** @throws HoldfastError `NOT_FOUND` */
    getVersion: async (agentId: string, version: number): Promise<AgentVersion> => {
      const row = await trx<VersionRow>('agent_versions').where({ agent_id: agentId, version }).first();
      if (!row) throw new HoldfastError('NOT_FOUND', `Agent ${agentId} has no version ${version}.`);
      return toVersion(row);
    },
  };
}

async function countModels(trx: Knex): Promise<Map<string, number>> {
  const named = agentVersions(trx).select(
    trx.raw(
      `v.agent_id, unnest(v.model || ARRAY(SELECT f ->> 'model' FROM jsonb_array_elements(v.fallback_models) AS f)
        || array_remove(ARRAY[v.summary_model], NULL)) AS model`,
    ),
  );
  const rows = await trx
    .from(named.as('named'))
    .groupBy('model')
    .select<{ model: string; agents: number }[]>('model', trx.raw('count(DISTINCT agent_id)::int AS agents'));
  return new Map(rows.map(({ model, agents }) => [model, agents]));
}

async function eraseAgent(trx: Knex, id: string): Promise<void> {
  const { rows } = await trx.raw<{ rows: { turn_id: string | null }[] }>(
    `WITH agent AS (SELECT id FROM agents WHERE id = :id AND erased_at IS NULL FOR UPDATE)
     SELECT coalesce(
       (SELECT t.id FROM turns t WHERE t.agent_id = agent.id AND t.status IN ('running', 'waiting_for_approval') LIMIT 1),
       (SELECT t.id FROM turns t WHERE t.agent_id = agent.id AND t.status = 'queued' LIMIT 1)) AS turn_id
     FROM agent`,
    { id },
  );
  const [agent] = rows;
  if (!agent) throw agentNotFound(id);
  if (agent.turn_id !== null) {
    const message =
      'A turn of this agent runs or waits. Cancel it or wait for its end, and delete the agent then.';
    throw new HoldfastError('TURN_RUNNING', message, { details: { turnId: agent.turn_id } });
  }
  const deletedAt = trx.raw('coalesce(deleted_at, now())');
  await trx('agents').where({ id }).update({ erased_at: trx.fn.now(), deleted_at: deletedAt });
}

function toolNotFound(id: string, toolId: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `The agent ${id} has no tool ${toolId}.`);
}

function agentNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no agent ${id}.`);
}

function agentVersions(trx: Knex): Knex.QueryBuilder {
  return trx('agents as a')
    .join('agent_versions as v', (on) => on.on('v.agent_id', 'a.id').andOn('v.version', 'a.current_version'))
    .whereNull('a.deleted_at');
}

/** Agents that are not deleted, each joined with its newest version. */
function agentRows(trx: Knex): Knex.QueryBuilder<AgentRow, AgentRow[]> {
  return agentVersions(trx).select(
    'v.*',
    'a.id',
    'a.created_at',
    'a.updated_at',
    'v.id as version_id',
    trx.raw("a.owner ->> 'project' AS project"),
  ) as Knex.QueryBuilder<AgentRow, AgentRow[]>;
}

async function createAgent(store: VersionStore, draft: AgentDraft): Promise<Agent> {
  const { trx, madeBy } = store;
  const { id = newId(), owner = null, ...fields } = draft;
  const input = {
    ...{
      modelConnectionId: null,
      fallbackModels: [],
      modelSettings: {},
      compaction: 'oldest_first' as const,
      compactionThreshold: null,
      summaryModel: null,
      rules: noRules,
      toolCallsInText: null,
      skills: [],
    },
    ...fields,
  };
  await trx('agents').insert({ id, owner: owner && JSON.stringify(owner) });
  await insertVersion(trx, {
    ...input,
    agentId: id,
    version: 1,
    tools: withIds(input.tools, []),
    connectors: [],
    madeBy,
  });
  return createAgentRepository(trx).getAgent(id);
}

/** Counts the version of an agent up, and returns the new number. The agent is locked until the transaction ends. */
async function takeVersion(trx: Knex, id: string): Promise<number> {
  const locked = await trx('agents')
    .where({ id, deleted_at: null })
    .update({ current_version: trx.raw('current_version + 1'), updated_at: trx.fn.now() })
    .returning<{ current_version: number }[]>('current_version');
  const version = locked[0]?.current_version;
  if (version === undefined) throw agentNotFound(id);
  return version;
}

/** The present tools are read only for a change of tools. */
async function updateAgent(
  store: VersionStore,
  id: string,
  { tools, ...change }: AgentRevision,
): Promise<Agent> {
  if (tools) return reviseAgent(store, id, () => ({ ...change, tools }));
  const { trx, madeBy } = store;
  const version = await takeVersion(trx, id);
  await insertRevision(trx, { agentId: id, version, madeBy, columns: toColumns(change) });
  return createAgentRepository(trx).getAgent(id);
}

type Revise = (current: AgentVersion) => AgentRevision | Promise<AgentRevision>;

async function reviseAgent({ trx, madeBy }: VersionStore, id: string, revise: Revise): Promise<Agent> {
  const version = await takeVersion(trx, id);
  const current = await createAgentRepository(trx).getVersion(id, version - 1);
  const { tools, ...change } = await revise(current);
  const columns = toColumns({ ...change, ...(tools && { tools: withIds(tools, current.tools) }) });
  await insertRevision(trx, { agentId: id, version, madeBy, columns });
  return createAgentRepository(trx).getAgent(id);
}

interface ToolChange {
  toolId: string;
  revise: (tool: Tool) => ToolSettings;
}

async function reviseToolSettings(
  { trx, madeBy }: VersionStore,
  id: string,
  { toolId, revise }: ToolChange,
): Promise<Agent> {
  const version = await takeVersion(trx, id);
  const previous = { agent_id: id, version: version - 1 };
  const row = await trx('agent_versions')
    .where(previous)
    .first<{ tool: Tool | null }>(
      trx.raw(
        `jsonb_path_query_first(available_tools, '$[*] \\? (@.id == $id)', jsonb_build_object('id', ?::text)) AS tool`,
        [toolId],
      ),
    );
  if (!row.tool) throw toolNotFound(id, toolId);
  await insertToolSettings(trx, { agentId: id, version, madeBy }, { id: toolId, settings: revise(row.tool) });
  return createAgentRepository(trx).getAgent(id);
}

/** A tool keeps its id from version to version as long as it keeps its type and name. */
function withIds(tools: (ToolInput & { id?: string })[], known: Tool[]): Tool[] {
  const ids = new Map(known.map((tool) => [`${tool.type} ${tool.name}`, tool.id]));
  return tools.map((tool) => ({ ...tool, id: tool.id ?? ids.get(`${tool.type} ${tool.name}`) ?? newId() }));
}

async function listVersions(trx: Knex, { agentId, cursor, limit }: PageRequest & { agentId: string }) {
  const query = trx('agent_versions AS v')
    .where({ agent_id: agentId })
    .select('v.*', trx.raw(`${versionBytes('v')} AS row_bytes`))
    .orderBy('version', 'desc');
  if (cursor) void query.where('version', '<', trx('agent_versions').where({ id: cursor }).select('version'));
  const rows = await withinBytes<VersionRow>(trx, query.limit(limit + 1), 'version DESC');
  if (rows.length === 0 && !cursor) throw agentNotFound(agentId);
  return toBoundedPage(rows, limit, toVersion);
}
