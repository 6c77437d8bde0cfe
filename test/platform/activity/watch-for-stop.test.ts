import { CancelledFailure, type Context } from '@temporalio/activity';
import { expect, test } from 'vitest';
import { StepStopped } from '../../../src/platform/activity/failures.ts';
import { watchForStop } from '../../../src/platform/activity/watch-for-stop.ts';
import { createWorkerShutdown } from '../../../src/platform/activity/worker-shutdown.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

/** Watches a local activity of a worker whose running steps have `graceMs` when it stops. */
function watchLocal(graceMs: number) {
  const shutdown = createWorkerShutdown(graceMs);
  const cancelling = new AbortController();
  const context = { info: { isLocal: true }, cancellationSignal: cancelling.signal } as unknown as Context;
  const wakeups = { onStop: () => () => undefined };
  const deadlineAt = Date.now() + 600_000;
  const watch = watchForStop(context, {
    turnId: newId(),
    deadlineAt,
    wakeups,
    details: () => undefined,
    shutdown,
  });
  const cancel = () => cancelling.abort(new CancelledFailure('CANCELLED'));
  const stopped = new Promise((resolve) =>
    watch.signal.addEventListener('abort', () => resolve(watch.signal.reason)),
  );
  return { shutdown, cancel, stopped, watch };
}

test('a local activity is stopped when its worker stops and the time for running steps is over', async () => {
  const { shutdown, stopped, watch } = watchLocal(1);
  shutdown.begin();
  expect(await stopped).toEqual(new StepStopped('shutdown'));
  watch.close();
});

test.each([
  ['whose worker runs', 'cancelled', false],
  ['of a worker that lets go of the workflow to stop', 'shutdown', true],
] as const)('a cancelled local activity %s is stopped as %s', async (_, reason, stops) => {
  const { shutdown, cancel, stopped, watch } = watchLocal(600_000);
  if (stops) shutdown.begin();
  cancel();
  expect(await stopped).toEqual(new StepStopped(reason));
  watch.close();
});
