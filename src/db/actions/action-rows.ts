import type { ActionKind, ActionStatus, Decider, PendingAction } from '../../domain/action.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Tool } from '../../domain/tool.ts';

/** A row of `pending_actions`. */
export interface ActionRow {
  id: string;
  kind: ActionKind;
  status: ActionStatus;
  conversation_id: string;
  turn_id: string;
  root_turn_id: string;
  tool_call_id: string;
  tool: string;
  arguments: JsonObject;
  hash: string;
  created_at: Date;
  expires_at: Date;
  reminded_at: Date | null;
  decided_at: Date | null;
  decided_by: Decider | null;
  reason: string | null;
  approved_arguments: JsonObject | null;
  question: string | null;
  schema: JsonObject | null;
  options: string[] | null;
  answer: JsonValue;
  is_error: boolean | null;
}

/** An action that is about to be decided. */
export interface LockedAction extends ActionRow {
  /** Whether its time is over, though it may still be noted as pending. */
  is_expired: boolean;
  /** The tool that the call asked for. */
  definition: Tool;
}

/** An action as the API shows it. */
export function toPendingAction(row: ActionRow): PendingAction {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    rootTurnId: row.root_turn_id,
    toolCallId: row.tool_call_id,
    tool: row.tool,
    arguments: row.arguments,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    remindedAt: row.reminded_at?.toISOString() ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by,
    reason: row.reason,
    approvedArguments: row.approved_arguments,
    question: row.question,
    schema: row.schema,
    options: row.options,
    answer: row.answer,
    isError: row.is_error,
  };
}
