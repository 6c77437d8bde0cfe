import { toDurationMs } from '../src/domain/duration.ts';
import { toPreview } from '../src/domain/text.ts';
import type { ExecuteToolCallResult } from '../src/domain/turn-steps.ts';
import type { ClaimedToolCall } from '../src/db/repositories/tool-calls.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { StepStopped } from './failures.ts';

/** Whether a call had ended before it was claimed: nothing runs, and the stored result is the answer. */
export function hasEnded({ status_before: status }: ClaimedToolCall): boolean {
  return status !== 'requested' && status !== 'started';
}

/** What the workflow is told of a call that has ended. */
export function toStoredResult(call: ClaimedToolCall): ExecuteToolCallResult {
  return {
    status: call.status,
    resultPreview: toPreview(call.result ?? call.error?.message ?? ''),
    durationMs: toDurationMs(call.started_at, call.ended_at) ?? 0,
    ...(call.status === 'blocked' && call.ends_turn ? { endsTurn: true } : {}),
  };
}

/**
 * Stops before anything was sent, and says so in the ledger: the call's outcome is known.
 * @throws StepStopped always
 */
export async function leaveUnrun(
  { atOnce }: ActivityDependencies,
  call: ClaimedToolCall,
  signal: AbortSignal,
): Promise<never> {
  await atOnce(call.workspace_id, ({ toolCalls }) => toolCalls.release(call.id));
  signal.throwIfAborted();
  throw new StepStopped('cancelled');
}
