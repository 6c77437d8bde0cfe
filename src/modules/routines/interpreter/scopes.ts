import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { RoutineStopped } from './ground.ts';

/** Runs branches at the same time. The first that fails cancels the others; when the run is stopped, it waits for all. */
export async function runAll<Result>(branches: (() => Promise<Result>)[]): Promise<Result[]> {
  const scope = new CancellationScope();
  const running: Promise<Result>[] = [];
  try {
    return await scope.run(() => Promise.all(begin(branches, running)));
  } catch (error) {
    await letStop(running, error);
    scope.cancel();
    throw error;
  }
}

/** Answers the result of the first branch that ends, and cancels the others. */
export async function runRace<Result>(branches: (() => Promise<Result>)[]): Promise<Result> {
  const scope = new CancellationScope();
  const running: Promise<Result>[] = [];
  try {
    return await scope.run(() => Promise.race(begin(branches, running)));
  } catch (error) {
    await letStop(running, error);
    throw error;
  } finally {
    scope.cancel();
  }
}

function begin<Result>(branches: (() => Promise<Result>)[], running: Promise<Result>[]): Promise<Result>[] {
  running.push(...branches.map((run) => run()));
  return running;
}

/** A wait ends at once when its run is stopped; a call of another branch ends first. */
async function letStop(running: Promise<unknown>[], error: unknown): Promise<void> {
  if (error instanceof RoutineStopped) await Promise.allSettled(running);
}

/** Runs something until a time in epoch milliseconds, at which it is cancelled. Null when that time came. */
export async function runUntil<Result>(
  at: number,
  run: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  const scope = new CancellationScope();
  const timer = new CancellationScope();
  const time = { isOver: false };
  const end = timer.run(() => sleep(Math.max(1, Math.round(at - Date.now()))));
  void end.then(
    () => {
      time.isOver = true;
      scope.cancel();
    },
    () => undefined,
  );
  try {
    return { result: await scope.run(run) };
  } catch (error) {
    if (time.isOver && isCancellation(error)) return null;
    throw error;
  } finally {
    timer.cancel();
  }
}
