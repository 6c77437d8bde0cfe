/** The outcomes of a turn. A turn is `steered` when the turn that ran before it took its message. */
export const turnOutcomes = [
  'completed',
  'failed',
  'cancelled',
  'timed_out',
  'iteration_limit',
  'steered',
] as const;
export type TurnOutcome = (typeof turnOutcomes)[number];

/** The status of a turn that has not ended. */
export const unsettledStatuses = ['queued', 'running', 'waiting_for_approval'] as const;

/** The status of a turn; of a settled turn it is the outcome. */
export const turnStatuses = [...unsettledStatuses, ...turnOutcomes] as const;
export type TurnStatus = (typeof turnStatuses)[number];

/** Returns whether a status is an outcome, and thus final. */
export function isSettled(status: TurnStatus): status is TurnOutcome {
  return (turnOutcomes as readonly string[]).includes(status);
}

/**
 * The state of a turn's workflow at Temporal: `unbegun` when its time was over before a worker took its first task,
 * `closed` for every other end, `missing` when Temporal does not know it.
 */
export type TurnWorkflowState = 'running' | 'unbegun' | 'timed_out' | 'closed' | 'missing';
