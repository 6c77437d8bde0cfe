import { ApplicationFailure } from '@temporalio/activity';
import { describe, expect, test } from 'vitest';
import { StepStopped, toActivityFailure, toStopError } from '../../../src/platform/activity/failures.ts';
import { errorCodes, HoldfastError, type ErrorCode } from '../../../src/domain/errors.ts';

function toFailure(error: unknown, deadlineAt?: number): ApplicationFailure {
  const failure = toActivityFailure(error, deadlineAt);
  if (!(failure instanceof ApplicationFailure)) throw failure;
  return failure;
}

describe('an error of an activity', () => {
  test.each(Object.keys(errorCodes) as ErrorCode[])(
    'with the code %s is retried when its code is retryable',
    (code) => {
      expect(toFailure(new HoldfastError(code, 'Why.'))).toMatchObject({
        type: code,
        message: 'Why.',
        nonRetryable: !errorCodes[code].retryable,
        details: [{ code, message: 'Why.' }],
      });
    },
  );

  test('that sets `retryable` overrides the default of its code', () => {
    const error = new HoldfastError('MODEL_RATE_LIMITED', 'No credit.', { retryable: false });
    expect(toFailure(error).nonRetryable).toBe(true);
  });

  test('that names a delay is retried after that delay', () => {
    const error = new HoldfastError('MODEL_RATE_LIMITED', 'Wait.', { retryAfterMs: 3_000 });
    expect(toFailure(error)).toMatchObject({ nextRetryDelay: 3_000, nonRetryable: false });
  });

  test('that names no delay, or a delay of 0, is retried by the policy of its activity', () => {
    const error = new HoldfastError('MODEL_RATE_LIMITED', 'Now.', { retryAfterMs: 0 });
    expect(toFailure(error)).toMatchObject({ nextRetryDelay: undefined, nonRetryable: false });
  });

  test('whose delay ends after the deadline is not retried', () => {
    const error = new HoldfastError('MODEL_RATE_LIMITED', 'Wait.', { retryAfterMs: 60_000 });
    expect(toFailure(error, Date.now() + 30_000).nonRetryable).toBe(true);
    expect(toFailure(error, Date.now() + 90_000).nonRetryable).toBe(false);
  });

  test('that is unexpected keeps only its cause', () => {
    const failure = toFailure(new Error('secret connection string'));
    expect(failure).toMatchObject({ type: 'INTERNAL', nonRetryable: false });
    expect(failure.message).not.toContain('secret');
    expect(failure.cause?.message).toBe('secret connection string');
  });

  test('that is already a failure of Temporal is not changed', () => {
    const failure = ApplicationFailure.nonRetryable('as it is');
    expect(toActivityFailure(failure)).toBe(failure);
  });
});

test.each([
  ['cancelled', 'TURN_CANCELLED', false],
  ['deadline', 'TURN_TIMED_OUT', false],
  ['timeout', 'TURN_TIMED_OUT', false],
  ['shutdown', 'SERVICE_UNAVAILABLE', true],
] as const)('a step that is stopped by %s fails with %s', (reason, code, retryable) => {
  expect(toStopError(new StepStopped(reason), 'a tool was running')).toMatchObject({ code, retryable });
});
