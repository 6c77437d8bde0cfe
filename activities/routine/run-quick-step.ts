import { Context } from '@temporalio/activity';
import { unlessAborted } from '../../src/lib/unless-aborted.ts';
import type { QuickAttempt } from '../../workflows/contract/routine-steps.ts';
import { toActivityFailure } from '../failures.ts';
import { sendHeartbeats } from '../step-run.ts';

type QuickStep<Result> = (signal: AbortSignal) => Promise<Result>;

/** Runs a step of a routine without effects, until its activity is cancelled. */
export async function runQuickStep<Result>(run: QuickStep<Result>): Promise<Result> {
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

/** Tries a step without effects for a short time. A step that takes longer is given up, and has no answer. */
export async function tryQuickStep<Result>(
  withinMs: number,
  run: QuickStep<Result>,
): Promise<QuickAttempt<Result>> {
  const begun = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), withinMs);
  const toTookMs = () => Math.ceil(performance.now() - begun);
  try {
    const { cancellationSignal } = Context.current();
    const signal = AbortSignal.any([cancellationSignal, limit.signal]);
    const answer = await unlessAborted(signal, () => run(signal));
    return { answer, tookMs: toTookMs() };
  } catch (error) {
    if (limit.signal.aborted) return { tookMs: toTookMs() };
    throw toActivityFailure(error);
  } finally {
    clearTimeout(timer);
  }
}
