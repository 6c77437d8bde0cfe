import { expect, test } from 'vitest';
import { holmAdjust } from '../../../src/engines/statistics/holm-adjust.ts';

// The worked example of the article "Holm-Bonferroni method" in Wikipedia; R: p.adjust(c(.01, .04, .03, .005), "holm").
test('the adjusted p values are the published ones, in the order given', () => {
  const adjusted = holmAdjust([0.01, 0.04, 0.03, 0.005]);
  for (const [index, expected] of [0.03, 0.06, 0.06, 0.02].entries())
    expect(adjusted[index]).toBeCloseTo(expected, 12);
});

test('one p value stays as it is, none gives none, and none gets above one', () => {
  expect(holmAdjust([0.04])).toEqual([0.04]);
  expect(holmAdjust([])).toEqual([]);
  expect(holmAdjust([0.6, 0.9])).toEqual([1, 1]);
});
