import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import { defaultLimits, type TurnLimits } from '../../domain/limits.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RuleSource } from '../../domain/rules.ts';
import type { FailedAttempt, Turn } from '../../domain/turn.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { isSettled, type TurnStatus } from '../../domain/turn-status.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import type { ExecutionMode } from '../../domain/agent.ts';
import { toUsage, type UsageColumns } from '../credits/usage-columns.ts';
import { defineStatement } from '../../platform/database/statement.ts';

/** A row of `turns`. */
export interface TurnRow extends UsageColumns {
  id: string;
  workspace_id: string;
  conversation_id: string;
  agent_id: string;
  agent_version_id: string;
  ordinal: number;
  characters_before: number;
  request_hash: string;
  status: TurnStatus;
  answer: string | null;
  answer_json: JsonObject | null;
  /** The schema that the final answer satisfies. */
  response_schema: JsonObject | null;
  error: ErrorInfo | null;
  iterations: number;
  timeout_ms: number;
  start_timeout_ms: number;
  cancel_requested_at: Date | null;
  failed_attempts: FailedAttempt[];
  restarts: number;
  /** The worker that runs the turn without a workflow, or `unowned`; null for a turn that has a workflow. */
  direct_owner: string | null;
  /** The process that runs the steps of the turn; null while workflow code runs them. Only that process may write them. */
  held_by: string | null;
  message_id: string | null;
  /** How many messages that were sent while it ran the turn has taken. */
  steered: number;
  steered_into: string | null;
  /** The turn whose model call has the message of this queued turn. It holds only while that turn runs. */
  taken_by: string | null;
  rolled_back: boolean;
  /** Set for imported turns, and for turns that a fork has copied. */
  imported_at: Date | null;
  recorded_from: string | null;
  /** How many of its first steps are copies of those of another turn. */
  copied_iterations: number;
  parent_turn_id: string | null;
  parent_tool_call_id: string | null;
  lineage: string[];
  started_by: ActorRef | null;
  /** The name of the person who asked for a turn that another turn, a swarm or a routine started. */
  asked_by: string | null;
  rule_sources: RuleSource[];
  max_iterations: number | null;
  max_tokens: number | null;
  /** The cost of the turn's own calls, in credits. */
  credits: number;
  /** Lower numbers go first; 3 for turns of people. */
  priority: number;
  created_at: Date;
  started_at: Date | null;
  deadline_at: Date | null;
  settled_at: Date | null;
}

/** The owner of a turn that runs without a workflow, while no worker has taken it. */
export const unowned = '00000000-0000-0000-0000-000000000000';

/** The priority of turns that people start, which is the default of Temporal. */
const ordinaryPriority = 3;

/** Finds one turn by its id. */
export const findTurnRow = defineStatement<{ turnId: string }, TurnRow>(
  'find_turn',
  'SELECT * FROM turns WHERE id = :turnId',
);

/**
 * Finds one turn by its id, and keeps it from changing until the transaction ends. Rows may be inserted meanwhile that
 * refer to it: a call that asks for an approval locks the call first, and then reads its turn.
 */
export const lockTurnRow = defineStatement<{ turnId: string }, TurnRow>(
  'lock_turn',
  'SELECT * FROM turns WHERE id = :turnId FOR NO KEY UPDATE',
);

/** The columns of an agent version that the start of a turn's workflow needs. */
export interface VersionColumns {
  agent_name: string;
  model: string;
  execution: ExecutionMode;
  limits: Partial<TurnLimits>;
  /** The weight of the workspace. @default 1 */
  turn_weight?: number | null;
}

/** A turn as the API shows it. */
export function toTurn(row: TurnRow): Turn {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    agentId: row.agent_id,
    agentVersionId: row.agent_version_id,
    parentTurnId: row.parent_turn_id,
    startedBy: row.started_by,
    messageId: row.message_id,
    steeredInto: row.steered_into,
    recordedFrom: row.recorded_from,
    rolledBack: row.rolled_back,
    status: row.status,
    outcome: isSettled(row.status) ? row.status : null,
    answer: row.answer,
    answerJson: row.answer_json,
    error: row.error,
    iterations: row.iterations,
    usage: toUsage(row),
    credits: String(row.credits),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

/** The input of a turn's workflow. */
export function toAgentTurnInput(turn: TurnRow, version: VersionColumns, message: string): AgentTurnInput {
  const { activityTimeoutMs, absenceTimeoutMs, maxIterations } = { ...defaultLimits, ...version.limits };
  const person = toOwnerKey(turn.asked_by ?? turn.started_by?.actingFor);
  return {
    workspaceId: turn.workspace_id,
    agentId: turn.agent_id,
    conversationId: turn.conversation_id,
    turnId: turn.id,
    agentName: version.agent_name,
    messagePreview: message,
    ...(person === null ? {} : { person }),
    model: version.model,
    execution: version.execution,
    limits: {
      activityTimeoutMs,
      turnTimeoutMs: turn.timeout_ms,
      absenceTimeoutMs,
      maxIterations: turn.max_iterations ?? maxIterations,
    },
    ...(turn.parent_turn_id === null ? {} : { parentTurnId: turn.parent_turn_id }),
    ...toPriority(turn.priority, version.turn_weight ?? null),
    ...(turn.direct_owner === unowned ? { isUnowned: true as const } : {}),
    ...(turn.recorded_from === null ? {} : { recordedFrom: turn.recorded_from }),
    ...(turn.started_at === null ? {} : { startLimit: toStartLimit(turn.started_at, turn.start_timeout_ms) }),
  };
}

/** Ordinary turns have none: the defaults of Temporal are theirs. */
function toPriority(priority: number, weight: number | null) {
  if (priority === ordinaryPriority && weight === null) return {};
  return { priority: { priorityKey: priority, ...(weight === null ? {} : { fairnessWeight: weight }) } };
}

function toStartLimit(startedAt: Date, timeoutMs: number) {
  return { timeoutMs, until: startedAt.getTime() + timeoutMs };
}

/** The error of a conversation id that the workspace does not have. */
export function conversationNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no conversation ${id}.`);
}

/** The error of a turn id that the workspace does not have. */
export function turnNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no turn ${id}.`);
}
