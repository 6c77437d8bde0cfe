import type { ErrorInfo } from './errors.ts';
import { turnTimeHint } from './limits.ts';
import type { TurnOutcome } from './turn-status.ts';

/** The ending of a turn whose workflow ended without storing one. */
export function toLostEnding(workflow: 'closed' | 'timed_out'): { outcome: TurnOutcome; error: ErrorInfo } {
  if (workflow === 'timed_out') {
    const message = `The turn ran out of time before it could store an answer. ${turnTimeHint}`;
    return { outcome: 'timed_out', error: { code: 'TURN_TIMED_OUT', message } };
  }
  const message = 'The workflow of the turn was ended by force before it stored an answer.';
  return { outcome: 'failed', error: { code: 'INTERNAL', message } };
}

/** The ending of a turn that no worker has begun in time. */
export function toUnbegunEnding(startTimeoutMs: number): { outcome: TurnOutcome; error: ErrorInfo } {
  const message =
    `No worker began the turn within ${startTimeoutMs / 1000} seconds. ` +
    'limits.startTimeoutMs of the agent sets how long a turn waits.';
  return { outcome: 'timed_out', error: { code: 'TURN_NOT_STARTED', message } };
}
