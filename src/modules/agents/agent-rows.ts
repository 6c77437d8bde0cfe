import type { Agent, AgentVersion, ExecutionMode } from '../../domain/agent.ts';
import type { Maker } from '../../domain/resource.ts';
import type { Tool } from '../../domain/tool.ts';

/** A row of `agent_versions`. */
export interface VersionRow {
  id: string;
  agent_id: string;
  version: number;
  name: string;
  model: string;
  instructions: string;
  available_tools: Tool[];
  /** The size of the tools as JSON. */
  tool_bytes: number;
  limits: AgentVersion['limits'];
  execution: ExecutionMode;
  model_connection_id: string | null;
  fallback_models: AgentVersion['fallbackModels'];
  model_settings: AgentVersion['modelSettings'];
  compaction: AgentVersion['compaction'];
  compaction_threshold: number | null;
  summary_model: string | null;
  rules: AgentVersion['rules'];
  tool_calls_in_text: boolean | null;
  connectors: AgentVersion['connectors'];
  skills: AgentVersion['skills'];
  created_at: Date;
  made_by: Maker | null;
}

/** A row of `agents` joined with its newest version: `id`, `created_at` and `updated_at` are those of the agent. */
export interface AgentRow extends VersionRow {
  version_id: string;
  updated_at: Date;
  /** The project of the maker. */
  project: string | null;
}

function toShared(row: VersionRow) {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    model: row.model,
    instructions: row.instructions,
    tools: row.available_tools,
    limits: row.limits,
    execution: row.execution,
    modelConnectionId: row.model_connection_id,
    fallbackModels: row.fallback_models,
    modelSettings: row.model_settings,
    compaction: row.compaction,
    compactionThreshold: row.compaction_threshold,
    summaryModel: row.summary_model,
    rules: row.rules,
    toolCallsInText: row.tool_calls_in_text,
    connectors: row.connectors,
    skills: row.skills,
    createdAt: row.created_at.toISOString(),
  };
}

/** Maps a row to the version that the API shows. */
export function toVersion(row: VersionRow): AgentVersion {
  return { ...toShared(row), agentId: row.agent_id, madeBy: row.made_by };
}

/** Maps a row to the agent that the API shows. */
export function toAgent(row: AgentRow): Agent {
  return {
    ...toShared(row),
    versionId: row.version_id,
    project: row.project,
    updatedAt: row.updated_at.toISOString(),
  };
}

/** SQL for about the size of a version's answer in bytes. */
export function versionBytes(table: string): string {
  return `${table}.tool_bytes
    + octet_length(${table}.instructions) + octet_length(${table}.rules::text) + octet_length(${table}.connectors::text)
    + octet_length(${table}.skills::text)`;
}
