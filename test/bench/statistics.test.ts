import { describe, expect, it } from 'vitest';
import { isWithin, median, quantile, slope } from '../../bench/statistics.ts';

describe('quantile', () => {
  it('takes the value at a share of the sorted values', () => {
    expect(quantile([30, 10, 20, 50, 40], 0.25)).toBe(20);
  });

  it('interpolates between two values by their distance', () => {
    expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5);
  });

  it('sorts by size and not by spelling', () => {
    expect(quantile([9, 10, 100], 1)).toBe(100);
  });

  it('throws when there are no values', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe('median', () => {
  it('is the mean of the two values in the middle of an even number', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});

describe('slope', () => {
  it('is the growth per step of a straight line', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x }));
    expect(slope(points)).toBeCloseTo(2);
  });

  it('is not changed by noise that cancels out', () => {
    const points = [1, -1, -1, 1].map((noise, x) => ({ x, y: 10 + noise }));
    expect(slope(points)).toBeCloseTo(0);
  });

  it('is 0 where there is no line', () => {
    expect(slope([{ x: 3, y: 4 }])).toBe(0);
    expect(slope([])).toBe(0);
  });
});

describe('isWithin', () => {
  it('accepts a difference in both directions', () => {
    expect([isWithin(100, 105, 0.05), isWithin(100, 95, 0.05)]).toEqual([true, true]);
    expect([isWithin(100, 106, 0.05), isWithin(100, 94, 0.05)]).toEqual([false, false]);
  });

  it('is false for values that are not numbers', () => {
    expect(isWithin(100, NaN, 0.05)).toBe(false);
  });
});
