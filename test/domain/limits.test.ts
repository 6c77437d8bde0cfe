import { expect, test } from 'vitest';
import { defaultLimits, limitBounds, toSoftDeadlineMs } from '../../src/domain/limits.ts';

test.each([
  [120_000, 105_000],
  [3_600_000, 3_585_000],
  [60_000, 45_000],
  [20_000, 15_000],
  [2_000, 1_500],
])('a turn of %d ms gives its steps %d ms, and keeps the rest to settle the turn', (timeoutMs, stepsMs) => {
  expect(toSoftDeadlineMs(timeoutMs)).toBe(stepsMs);
});

test.each(Object.keys(limitBounds) as (keyof typeof limitBounds)[])(
  'the default of %s is within its bounds',
  (name) => {
    expect(defaultLimits[name]).toBeGreaterThanOrEqual(limitBounds[name].min);
    expect(defaultLimits[name]).toBeLessThanOrEqual(limitBounds[name].max);
  },
);
