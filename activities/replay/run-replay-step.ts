import { Context } from '@temporalio/activity';
import { toActivityFailure } from '../failures.ts';

const heartbeatIntervalMs = 2_000;

/** Runs a step of a replay, with heartbeats, until it ends or its worker shuts down. */
export async function runReplayStep<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const timer = setInterval(() => context.heartbeat(), heartbeatIntervalMs);
  try {
    return await run(cancellationSignal);
  } catch (error) {
    throw toActivityFailure(error);
  } finally {
    clearInterval(timer);
  }
}
