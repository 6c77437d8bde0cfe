import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createWorkerShutdown } from '../../../src/platform/activity/worker-shutdown.ts';
import type { StepDependencies } from '../../../activities/step-dependencies.ts';
import { createContextCache } from '../../../activities/model/context-cache.ts';
import { createRunTurn } from '../../../activities/turn/run-turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

/** The services of an activity that makes no step. */
const services = {
  wakeups: { onStop: () => () => undefined, onSteerNow: () => () => undefined },
  shutdown: createWorkerShutdown(0),
} as unknown as StepDependencies;

const runTurn = createRunTurn(services, createContextCache());

function toInput(taskStartedAt: number) {
  const ids = { workspaceId: newId(), conversationId: newId(), turnId: newId() };
  const limits = { activityTimeoutMs: 30_000, maxIterations: 10 };
  return { ...ids, iteration: 1, deadlineAt: Date.now() + 60_000, model: 'demo', limits, taskStartedAt };
}

test('a local activity that begins late in its workflow task leaves the turn to a regular one', async () => {
  const context = new MockActivityEnvironment({ isLocal: true });
  const result = await context.run(runTurn, toInput(Date.now() - 1_000));
  expect(result).toMatchObject({ iteration: 1, rest: { iteration: 1 } });
});

test('a local activity that begins in time makes the first step', async () => {
  const context = new MockActivityEnvironment({ isLocal: true });
  // The services have no database, and the first step reads the turn.
  const result = await context.run(runTurn, toInput(Date.now()));
  expect(result).toMatchObject({ iteration: 1, stopped: { outcome: 'failed' } });
});
