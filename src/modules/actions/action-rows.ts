import type { ActionKind, ActionStatus, Decider, PendingAction } from '../../domain/action.ts';
import type { ActorRef } from '../../domain/actor.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { QuestionSource } from '../../domain/question.ts';
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
  /** `server:tool` of a call through a gateway. */
  target: string | null;
  /** Names of connections. */
  connections: string[];
  arguments: JsonObject;
  hash: string;
  /** SHA-256 over the tool of a call that needs an approval. */
  tool_hash: string | null;
  can_remember: boolean;
  /** The participants of the turn and of the turns above it, the starter of the root turn first. */
  asked_by: ActorRef[] | null;
  /** A person who decides has to be in one group of each list. */
  approvers: string[][];
  /** The conditions of `approvalWhen` that the proposed arguments match. */
  asked_because: string[];
  /** Whether the starter of the root turn may decide. */
  self_approval: boolean;
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
  source: QuestionSource | null;
  answer: JsonValue;
  is_error: boolean | null;
  redeemed_at: Date | null;
}

/** An action that is about to be decided. */
export interface LockedAction extends ActionRow {
  /** Whether its time is over, though it may still be noted as pending. */
  is_expired: boolean;
  /** The tool that the call asked for. */
  definition: Tool;
  agent_id: string;
  /** The conversation of the root turn. */
  root_conversation_id: string;
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
    target: row.target,
    connections: row.connections,
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
    server: row.source?.server ?? null,
    url: row.source?.url ?? null,
    answer: row.answer,
    isError: row.is_error,
    canRemember: row.can_remember,
    askedBy: row.asked_by ?? [],
    approvers: row.approvers,
    askedBecause: row.asked_because,
    selfApproval: row.self_approval,
    redeemedAt: row.redeemed_at?.toISOString() ?? null,
  };
}
