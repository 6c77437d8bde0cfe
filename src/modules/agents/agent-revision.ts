import type { Knex } from 'knex';
import { toExecution, type AgentChange, type AgentVersion, type AskedExecution } from '../../domain/agent.ts';
import type { AttachedConnector } from '../../domain/connector.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { Maker } from '../../domain/resource.ts';
import type { PinnedSkill } from '../../domain/skill.ts';
import type { Tool, ToolInput } from '../../domain/tool.ts';
import { newId } from '../../platform/lib/ids.ts';

/** The fields that differ in a new version of an agent; tools with an id keep it. */
export type AgentRevision = Omit<AgentChange, 'tools' | 'skills'> & {
  tools?: (ToolInput & { id?: string })[] | undefined;
  skills?: PinnedSkill[] | undefined;
  connectors?: AttachedConnector[];
};

/** The columns of a version that a change replaces, with their types. */
const columnTypes = {
  name: 'text',
  model: 'text',
  instructions: 'text',
  available_tools: 'jsonb',
  tool_bytes: 'integer',
  limits: 'jsonb',
  execution: 'text',
  model_connection_id: 'uuid',
  fallback_models: 'jsonb',
  model_settings: 'jsonb',
  compaction: 'text',
  compaction_threshold: 'integer',
  summary_model: 'text',
  rules: 'jsonb',
  tool_calls_in_text: 'boolean',
  connectors: 'jsonb',
  skills: 'jsonb',
};

type Columns = { [Name in keyof typeof columnTypes]?: string | number | boolean | null | undefined };

/** The columns that a revision replaces. A field that is undefined stays. */
export function toColumns({ tools, ...change }: Omit<AgentRevision, 'tools'> & { tools?: Tool[] }): Columns {
  return {
    name: change.name,
    model: change.model,
    instructions: change.instructions,
    limits: toJson(change.limits),
    execution: toExecution(change.execution),
    model_connection_id: change.modelConnectionId,
    fallback_models: toJson(change.fallbackModels),
    model_settings: toJson(change.modelSettings),
    compaction: change.compaction,
    compaction_threshold: change.compactionThreshold,
    summary_model: change.summaryModel,
    rules: toJson(change.rules),
    tool_calls_in_text: change.toolCallsInText,
    connectors: toJson(change.connectors),
    skills: toJson(change.skills),
    ...(tools && toToolColumns(tools)),
  };
}

function toJson(value: object | undefined): string | undefined {
  return value && JSON.stringify(value);
}

/** The size of all tools of an agent together, in bytes of their JSON: every step of a turn may read them. */
const maxToolBytes = 8 * 1024 * 1024;

/**
 * The columns of a version's tools.
 * @throws HoldfastError `INVALID_INPUT` for tools that are larger than 8 MiB together
 */
function toToolColumns(tools: Tool[]): { available_tools: string; tool_bytes: number } {
  const json = JSON.stringify(tools);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxToolBytes) return { available_tools: json, tool_bytes: bytes };
  const message = `expected at most ${maxToolBytes} bytes of tools for an agent, found ${bytes}: shorten their schemas`;
  throw createInvalidInput([{ field: 'tools', message }]);
}

type NewVersion = Omit<AgentVersion, 'id' | 'createdAt' | 'execution'> & { execution: AskedExecution };

/** Stores the first version of an agent. */
export async function insertVersion(trx: Knex, version: NewVersion): Promise<void> {
  await trx('agent_versions').insert({
    id: newId(),
    agent_id: version.agentId,
    version: version.version,
    name: version.name,
    model: version.model,
    instructions: version.instructions,
    ...toToolColumns(version.tools),
    limits: JSON.stringify(version.limits),
    execution: toExecution(version.execution),
    model_connection_id: version.modelConnectionId,
    fallback_models: JSON.stringify(version.fallbackModels),
    model_settings: JSON.stringify(version.modelSettings),
    compaction: version.compaction,
    compaction_threshold: version.compactionThreshold,
    summary_model: version.summaryModel,
    rules: JSON.stringify(version.rules),
    tool_calls_in_text: version.toolCallsInText,
    connectors: JSON.stringify(version.connectors),
    skills: JSON.stringify(version.skills),
    made_by: version.madeBy && JSON.stringify(version.madeBy),
  });
}

interface NextVersion {
  agentId: string;
  /** The number of the new version. */
  version: number;
  madeBy: Maker | null;
  columns: Columns;
}

/** Stores a new version: the one before it with some columns replaced. Postgres copies the others, such as large tools. */
export async function insertRevision(trx: Knex, next: NextVersion): Promise<void> {
  const { columns } = next;
  const names = Object.keys(columnTypes) as (keyof Columns)[];
  const values = names.map((name) =>
    columns[name] === undefined ? trx.ref(name) : trx.raw(`?::${columnTypes[name]}`, [columns[name]]),
  );
  await copyVersion(trx, next, { names, values });
}

/** Stores a new version: the one before it with other settings of one tool. */
export async function insertToolSettings(
  trx: Knex,
  next: Omit<NextVersion, 'columns'>,
  { id, settings }: Pick<Tool, 'id' | 'settings'>,
): Promise<void> {
  const names = Object.keys(columnTypes) as (keyof Columns)[];
  const tools = trx.raw(
    `(SELECT jsonb_agg(CASE WHEN tool ->> 'id' = ? THEN jsonb_set(tool, '{settings}', ?::jsonb) ELSE tool END ORDER BY place)
      FROM jsonb_array_elements(available_tools) WITH ORDINALITY AS tools (tool, place))`,
    [id, JSON.stringify(settings ?? {})],
  );
  const values = names.map((name) => (name === 'available_tools' ? tools : trx.ref(name)));
  await copyVersion(trx, next, { names, values });
}

async function copyVersion(
  trx: Knex,
  { agentId, version, madeBy }: Omit<NextVersion, 'columns'>,
  { names, values }: { names: string[]; values: (Knex.Raw | Knex.Ref<string, Record<string, string>>)[] },
): Promise<void> {
  const places = ['id', 'agent_id', 'version', 'made_by', ...names];
  const maker = trx.raw('?::jsonb', [madeBy && JSON.stringify(madeBy)]);
  await trx(trx.raw(`agent_versions (${places.map(() => '??').join(', ')})`, places)).insert(
    trx('agent_versions')
      .where({ agent_id: agentId, version: version - 1 })
      .select([trx.raw('?::uuid', [newId()]), trx.ref('agent_id'), trx.raw('version + 1'), maker, ...values]),
  );
}
