import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/** Runs branches at the same time. The first that fails cancels the others. */
export async function runAll<Result>(branches: (() => Promise<Result>)[]): Promise<Result[]> {
  const scope = new CancellationScope();
  try {
    return await scope.run(() => Promise.all(branches.map((run) => run())));
  } catch (error) {
    scope.cancel();
    throw error;
  }
}

/** Answers the result of the first branch that ends, and cancels the others. */
export async function runRace<Result>(branches: (() => Promise<Result>)[]): Promise<Result> {
  const scope = new CancellationScope();
  try {
    return await scope.run(() => Promise.race(branches.map((run) => run())));
  } finally {
    scope.cancel();
  }
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
