/** How often a model call is attempted before its turn fails. */
export const modelMaximumAttempts = 5;

/** How often a tool call that may be repeated is attempted. Attempts whose worker was lost do not end it. */
export const toolMaximumAttempts = 3;

/** How often the activity of a tool call is attempted, whose attempts may lose their workers. */
export const callActivityAttempts = 10;

/** How often the steps before and after a child workflow are attempted; repeating them has no second effect. */
export const childStepAttempts = 5;

/** How often the activity that runs a whole turn is attempted; each attempt continues after the steps that are stored. */
export const turnMaximumAttempts = 10;

/** The pauses between two attempts of a step, in milliseconds: each is twice as long as the one before. */
export const retryPauses = { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 };

/** Returns the pause after an attempt of a step, which counts from 1, in milliseconds. */
export function toPauseMs(attempt: number): number {
  const { initialInterval, backoffCoefficient, maximumInterval } = retryPauses;
  return Math.min(initialInterval * backoffCoefficient ** (attempt - 1), maximumInterval);
}

/** The pauses of a step that is tried until it succeeds or for very long, while no user waits for it; in milliseconds. */
export const longRetryPauses = { ...retryPauses, maximumInterval: 60_000 };
