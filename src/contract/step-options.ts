import { retryPauses } from './retry-limits.ts';

/** The options of a call of a step whose time depends on its turn or its routine. */
export interface StepOptions {
  summary: string;
  /** The time limit of one attempt, in milliseconds. */
  timeLeftMs: number;
  /** The time limit of all attempts with the waits for a worker between them, in milliseconds. */
  longestMs: number;
}

/** Activities each call of which has its own options. */
export type WithOptions<Steps> = {
  [Name in keyof Steps]: Steps[Name] extends (input: infer Input) => infer Result
    ? (options: StepOptions, input: Input) => Result
    : never;
};

/** A worker counts as dead after this time without a heartbeat, in milliseconds; steps send one every 1.3 s. */
export const heartbeatTimeoutMs = 4_000;

/** The same for documents and replays, whose steps send one every 2 s: no user waits for them. */
export const batchHeartbeatTimeoutMs = 5_000;

/** The time limit of one attempt of a step that takes a moment, in milliseconds. */
export const briefMs = 10_000;

/** The options of a proxy all calls of which have their own: the SDK asks for a time limit. */
export const anyTimeout = { startToCloseTimeout: briefMs };

/** The shortest time limit of a step: with less it could not start, and its error would not say why. */
const leastTimeMs = 1_000;

/**
 * Returns the options of a call. An attempt may take all the time that the turn has left: the step itself limits its model or
 * tool call, and keeps the result while the database is unreachable. A missing heartbeat means a dead worker. The wait for
 * another worker counts for the longest time only.
 */
export function toStepOptions({ summary, timeLeftMs, longestMs }: StepOptions, maximumAttempts: number) {
  return {
    summary,
    startToCloseTimeout: Math.max(leastTimeMs, timeLeftMs),
    scheduleToCloseTimeout: Math.max(leastTimeMs, timeLeftMs, longestMs),
    heartbeatTimeout: heartbeatTimeoutMs,
    cancellationType: 'TRY_CANCEL' as const,
    retry: { ...retryPauses, maximumAttempts },
  };
}
