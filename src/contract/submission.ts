import type { TurnDetails, TurnInput } from '../domain/turn.ts';

/** The type name of the workflow by which a program with its own Temporal client starts a turn. */
export const turnSubmissionType = 'turnSubmission';

/** The input of `turnSubmission`; the turn's id is made from workspace and idempotency key. */
export interface TurnSubmissionInput extends TurnInput {
  workspaceId: string;
  turnId: string;
  conversationId: string;
}

/** The result of `turnSubmission`, once its turn is settled. */
export interface TurnSubmissionResult {
  turn: TurnDetails;
}

/** The id of the workflow that accepts a turn and then starts it. */
export function toSubmissionWorkflowId(turnId: string): string {
  return `submission-${turnId}`;
}

/** Returns the id of the workflow that runs a turn. Each turn has only one. */
export function toTurnWorkflowId(turnId: string): string {
  return `turn-${turnId}`;
}

/** The name of the signal that notifies a turn's workflow of a stored decision, by the id of its action. */
export const decisionSignal = 'actionDecided';
