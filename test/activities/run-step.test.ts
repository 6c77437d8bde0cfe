import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { runStep } from '../../activities/run-step.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';

const dependencies = {
  pipelined: () => Promise.reject(new Error('there is no database')),
  wakeups: { onStop: () => () => undefined },
  ...{ what: 'a tool was running', maximumAttempts: 3 },
};

/** Returns whether Temporal makes another attempt after one that threw an error. */
async function isRetried(attempt: number, error: Error): Promise<boolean> {
  const ref = { workspaceId: newId(), turnId: newId(), iteration: 1, index: 0 };
  const environment = new MockActivityEnvironment({ attempt });
  const failure: unknown = await environment
    .run(() =>
      runStep({ ...ref, deadlineAt: Date.now() + 60_000 }, dependencies, () => Promise.reject(error)),
    )
    .catch((thrown: unknown) => thrown);
  if (!(failure instanceof ApplicationFailure)) throw failure;
  return failure.nonRetryable !== true;
}

describe('the attempts of a step that is its own activity', () => {
  const refused = new HoldfastError('RATE_LIMITED', 'Too many requests.', { retryable: true });

  test('end with an error of the last one', async () => {
    expect(await isRetried(2, refused)).toBe(true);
    expect(await isRetried(3, refused)).toBe(false);
    expect(await isRetried(4, refused)).toBe(false);
  });

  test.each(['shutdown', 'lost'] as const)(
    'go on after the last one when its process stops: %s',
    async (reason) => {
      expect(await isRetried(3, new StepStopped(reason))).toBe(true);
      expect(await isRetried(7, new StepStopped(reason))).toBe(true);
    },
  );
});
