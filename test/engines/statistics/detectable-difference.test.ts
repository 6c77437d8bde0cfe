import { expect, test } from 'vitest';
import { detectableRateDifference } from '../../../src/engines/statistics/detectable-difference.ts';
import { createMcNemarPower } from '../../../src/engines/statistics/mcnemar-power.ts';

// G*Power 3.1 manual, McNemar test, after O'Brien (2002): probabilities 0.08 and 0.32 of discordant pairs, 50 pairs, level
// 0.05 one-sided, which is 0.1 for two sides: power 0.839343.
test('the power of the exact test is the published one', () => {
  expect(createMcNemarPower(50, 0.1)(0.4, 0.24)).toBeCloseTo(0.839343, 4);
});

test('the power without a difference is at most the level', () => {
  for (const pairs of [10, 50, 400]) {
    const power = createMcNemarPower(pairs, 0.05)(0.3, 0);
    expect(power).toBeLessThanOrEqual(0.05);
  }
});

test('more pairs show smaller differences, and more discordant pairs hide larger ones', () => {
  const detect = (pairs: number, discordant: number) => detectableRateDifference({ pairs, discordant }) ?? 1;
  expect(detect(400, 40)).toBeLessThan(detect(100, 10));
  expect(detect(100, 10)).toBeLessThan(detect(100, 30));
  expect(detect(100, 0)).toBeGreaterThan(0.06);
});

test('a stricter level or a higher power needs a larger difference', () => {
  const size = { pairs: 200, discordant: 20 };
  const usual = detectableRateDifference(size) ?? 1;
  expect(detectableRateDifference({ ...size, level: 0.01 })).toBeGreaterThan(usual);
  expect(detectableRateDifference({ ...size, power: 0.95 })).toBeGreaterThan(usual);
});

test('five pairs show nothing, since five in one direction come up by chance', () => {
  expect(detectableRateDifference({ pairs: 5, discordant: 2 })).toBeNull();
  expect(detectableRateDifference({ pairs: 6, discordant: 0 })).not.toBeNull();
});
