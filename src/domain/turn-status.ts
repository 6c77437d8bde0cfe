/** How a turn can end. */
export const turnOutcomes = ['completed', 'failed', 'cancelled', 'timed_out', 'iteration_limit'] as const;
export type TurnOutcome = (typeof turnOutcomes)[number];

/** The status of a turn; an outcome once it is settled. */
export const turnStatuses = ['queued', 'running', 'waiting_for_approval', ...turnOutcomes] as const;
export type TurnStatus = (typeof turnStatuses)[number];

/** Tells whether a status is final, and so an outcome. */
export function isSettled(status: TurnStatus): status is TurnOutcome {
  return (turnOutcomes as readonly string[]).includes(status);
}
