import { describe, expect, test } from 'vitest';
import { toChildGraceMs, toChildTimeMs, toTurnTimeoutMs } from '../../src/contract/child-time.ts';
import { toSoftDeadlineMs } from '../../src/domain/limits.ts';

describe('the time limit of a child', () => {
  test('leaves ten seconds for the answer, or a quarter of a short time', () => {
    expect(toChildTimeMs(100_000)).toBe(90_000);
    expect(toChildTimeMs(8_000)).toBe(6_000);
  });

  test('is never more than that of the tool, and never negative', () => {
    expect(toChildTimeMs(100_000, 5_000)).toBe(5_000);
    expect(toChildTimeMs(100_000, 500_000)).toBe(90_000);
    expect(toChildTimeMs(-5)).toBe(0);
  });

  test('ends before its caller stops waiting, and that before the parent turn ends', () => {
    for (const leftMs of [1_000, 20_000, 600_000]) {
      expect(toChildTimeMs(leftMs)).toBeLessThan(toChildGraceMs(leftMs));
      expect(toChildGraceMs(leftMs)).toBeLessThan(leftMs);
    }
  });

  test.each([1_500, 45_000, 46_000, 300_000])('of %i ms is available to the steps of its turn', (softMs) => {
    expect(Math.abs(toSoftDeadlineMs(toTurnTimeoutMs(softMs)) - softMs)).toBeLessThan(1);
  });
});
