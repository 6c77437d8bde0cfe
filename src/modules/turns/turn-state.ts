import { isBudgeted } from '../credits/credit-sql.ts';
import { askedBy } from '../credits/turn-origin.ts';

/** The part of a running turn that may change while one of its steps runs. */
export interface TurnState {
  cancelRequested: boolean;
  /** The ids of the agent's tools that changed since they were accepted. */
  quarantined: string[];
  /** Whether a message waits that the turn is to take before it continues. */
  steering: boolean;
  /** Whether the workspace has budgets, so that calls are reserved before they are made. */
  budgeted: boolean;
}

/** An expression: the ids of the tools that changed since they were accepted, for a turn with the given alias. */
export function quarantinedTools(turn: string): string {
  return `ARRAY(
    SELECT p.tool_id::text FROM tool_pins p WHERE p.agent_id = ${turn}.agent_id AND p.quarantined_at IS NOT NULL
  )`;
}

/** An expression: whether a message waits that the turn with the given alias is to take. */
export function isSteered(turn: string): string {
  return `(${takesMessages(turn)} AND EXISTS (
    SELECT FROM turns q WHERE q.conversation_id = ${turn}.conversation_id AND ${isFreeToTake('q', turn)}
      AND q.taken_by IS DISTINCT FROM ${turn}.id
  ))`;
}

/** An expression: as {@link isSteered}, also for messages that an attempt of the next model call has taken. */
export function isSteeredOrTaking(turn: string): string {
  return `(${takesMessages(turn)} AND EXISTS (
    SELECT FROM turns q WHERE q.conversation_id = ${turn}.conversation_id AND (${isFreeToTake('q', turn)}
      OR q.status = 'queued' AND q.taken_by = ${turn}.id)
  ))`;
}

/** An expression: whether an unfinished turn takes messages. One that is to stop, or rolled back, makes no other model call. */
export function takesMessages(turn: string): string {
  return `${turn}.cancel_requested_at IS NULL`;
}

/**
 * An expression: whether the message of a queued turn steers the turn that runs, and its turn has not been cancelled. The
 * message of another person waits for its own turn: tools act for the person of the turn.
 */
export function isFreeToTake(queued: string, running: string): string {
  return `${queued}.status = 'queued' AND ${queued}.steers AND ${queued}.cancel_requested_at IS NULL
    AND (${askedBy(queued)} IS NULL OR ${askedBy(queued)} = ${askedBy(running)})`;
}

/** The columns of {@link TurnState}, for a turn that a statement names with the given alias. */
export function turnState(turn: string): string {
  return `${turn}.cancel_requested_at IS NOT NULL AS "cancelRequested", ${quarantinedTools(turn)} AS quarantined,
    ${isSteered(turn)} AS steering, ${isBudgeted} AS budgeted`;
}
