import type { ErrorInfo } from '../../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { Tool, ToolEffect } from '../../../domain/tool.ts';
import type { ToolCallStatus } from '../../../domain/turn.ts';

/** A row of `tool_calls`, the ledger. */
export interface ToolCallRow {
  id: string;
  workspace_id: string;
  conversation_id: string;
  turn_id: string;
  iteration: number;
  index: number;
  key: string;
  model_call_id: string;
  name: string;
  /** The tool as the agent version had it; null when the agent has no tool of that name. */
  tool: Tool | null;
  effect: ToolEffect;
  arguments: JsonObject | null;
  invalid_arguments: string | null;
  status: ToolCallStatus;
  attempts: number;
  result: string | null;
  result_bytes: number | null;
  result_truncated: boolean;
  result_content: JsonValue | null;
  /** Where the call went: the name of a connector, a connection or a catalogue server. */
  connector: string | null;
  /** The tool that was called there, when that is not the tool itself: `server:tool` behind the gateway. */
  target: string | null;
  child_turn_id: string | null;
  child_workflow_id: string | null;
  /** The run of the turn's workflow that was about to start the child. */
  child_begun_by: string | null;
  error: ErrorInfo | null;
  started_at: Date | null;
  ended_at: Date | null;
}
