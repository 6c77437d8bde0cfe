import { Context } from '@temporalio/activity';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';
import { sendHeartbeats } from '../../src/platform/activity/watch-for-stop.ts';

/** Runs a step of a replay, with heartbeats, until it ends or its worker shuts down. */
export async function runReplayStep<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const stopHeartbeats = sendHeartbeats(context);
  try {
    return await run(context.cancellationSignal);
  } catch (error) {
    throw toActivityFailure(error);
  } finally {
    stopHeartbeats();
  }
}
