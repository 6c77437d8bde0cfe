import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import type { StepDependencies } from '../../../activities/step-dependencies.ts';
import { createContextCache } from '../../../activities/model/context-cache.ts';
import { createRunTurn } from '../../../activities/turn/run-turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

test('the local activity of a turn that the release before has begun makes no step', async () => {
  const runTurn = createRunTurn({} as StepDependencies, createContextCache());
  const ids = { workspaceId: newId(), conversationId: newId(), turnId: newId() };
  const limits = { activityTimeoutMs: 30_000, maxIterations: 10 };
  const now = Date.now();
  const input = { ...ids, iteration: 1, deadlineAt: now + 60_000, model: 'demo', limits, taskStartedAt: now };
  const context = new MockActivityEnvironment({ isLocal: true });
  expect(await context.run(runTurn, input)).toEqual({ iteration: 1, rest: { iteration: 1 }, lines: [] });
});
