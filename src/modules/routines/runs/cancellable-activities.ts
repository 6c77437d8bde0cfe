import { Context } from '@temporalio/activity';
import { unlessAborted } from '../../../platform/lib/unless-aborted.ts';
import { toActivityFailure } from '../../../platform/activity/failures.ts';
import { sendHeartbeats } from '../../../platform/activity/watch-for-stop.ts';

/** Runs a step of a routine until its activity is cancelled. A heartbeat reports the cancellation. */
export async function runCancellable<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const stopHeartbeats = sendHeartbeats(context);
  try {
    return await unlessAborted(cancellationSignal, () => run(cancellationSignal));
  } catch (error) {
    // The SDK knows a cancelled activity by the reason of its signal.
    throw cancellationSignal.aborted ? cancellationSignal.reason : toActivityFailure(error);
  } finally {
    stopHeartbeats();
  }
}
