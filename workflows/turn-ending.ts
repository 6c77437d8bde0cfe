import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  sleep,
  TimeoutFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { errorCodes, type ErrorCode, type ErrorInfo } from '../src/domain/errors.ts';
import { turnTimeHint } from '../src/domain/limits.ts';
import { endsTurn, toTurnEnding, TurnStopped } from '../src/contract/turn-loop.ts';
import { outcomeKey } from '../src/contract/turn-options.ts';
import type { TurnEnding } from '../src/contract/turn-steps.ts';

interface TurnState {
  cancelled: boolean;
  outOfTime: boolean;
}

/** Returns the ending of a turn whose steps failed or were stopped before an answer. */
export function toEnding(error: unknown, state: TurnState): TurnEnding {
  if (error instanceof TurnStopped) return error.ending;
  const info = toInfo(error);
  // Either the workflow or the step learns of a cancel request first; the outcome is the same.
  if (state.cancelled || info.code === 'TURN_CANCELLED') return { outcome: 'cancelled' };
  if (isCancellation(error) || (state.outOfTime && isTimeout(error))) {
    const message = `The turn ran out of time. ${turnTimeHint}`;
    return { outcome: 'timed_out', error: { code: 'TURN_TIMED_OUT', message } };
  }
  return toTurnEnding(info);
}

/** Shows the outcome in lists of the Web UI. A completed turn needs none: the status of its workflow is enough. */
export function showOutcome({ outcome }: TurnEnding): void {
  if (outcome === 'completed') return;
  upsertSearchAttributes([{ key: outcomeKey, value: outcome }]);
}

/** How long a cancelled turn waits for the request of Temporal, which follows that of the database; in milliseconds. */
const cancelRequestMs = 2_000;

/**
 * Ends the workflow as its turn ended, so that lists in the Web UI show it: as failed with the turn's error, or as
 * cancelled. Returns for every other outcome.
 * @throws ApplicationFailure with the code of the error; CancelledFailure
 */
export async function endAsOutcome({ outcome, error }: TurnEnding): Promise<void> {
  if (outcome === 'completed' || outcome === 'iteration_limit') return;
  if (outcome !== 'cancelled') {
    throw ApplicationFailure.nonRetryable(
      error?.message ?? `The turn is ${outcome}.`,
      error?.code ?? 'INTERNAL',
    );
  }
  const { cancelRequested, consideredCancelled } = CancellationScope.current();
  if (!consideredCancelled)
    await Promise.race([sleep(cancelRequestMs), cancelRequested]).catch(() => undefined);
  throw new CancelledFailure('The turn was cancelled.');
}

/** Returns whether the failure of a tool call ends its turn. */
export function isStop(error: unknown): boolean {
  return isCancellation(error) || !(error instanceof ActivityFailure) || endsTurn(toInfo(error));
}

function isTimeout(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

function toInfo(error: unknown): ErrorInfo {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type && isErrorCode(cause.type)) {
    return { ...toDetails(cause), code: cause.type, message: cause.message };
  }
  if (cause instanceof TimeoutFailure) return toLostStep(error);
  return { code: 'INTERNAL', message: cause instanceof Error ? cause.message : String(cause) };
}

/** Returns the details that an activity gave its failure, for operators. */
function toDetails({ details }: ApplicationFailure): Pick<ErrorInfo, 'details'> {
  const info = details?.[0] as Partial<ErrorInfo> | null | undefined;
  return info?.details === undefined ? {} : { details: info.details };
}

/** Returns the error of a step whose attempts all lost their worker or passed their time limit. */
function toLostStep(error: unknown): ErrorInfo {
  if (error instanceof ActivityFailure && error.activityType === 'runTurn') {
    return { code: 'INTERNAL', message: 'The workers that ran the turn were lost, one after the other.' };
  }
  const isTool = error instanceof ActivityFailure && error.activityType.endsWith('ToolCall');
  return isTool
    ? { code: 'TOOL_TIMED_OUT', message: 'The tool call did not end within its time limit.' }
    : { code: 'MODEL_UNAVAILABLE', message: 'The model call did not end within its time limit.' };
}

function isErrorCode(type: string): type is ErrorCode {
  return type in errorCodes;
}
