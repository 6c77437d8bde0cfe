import { expect, test } from 'vitest';
import { toDurations } from './durations-reporter.ts';

test('files that ran have their new durations, others keep theirs, and short ones are left out', () => {
  const ran = [
    { file: 'a', seconds: 20.4 },
    { file: 'b', seconds: 9.4 },
    { file: 'c', seconds: 90 },
  ];
  const noted = toDurations(ran, { a: 70, b: 50, d: 30 });
  expect(Object.entries(noted)).toEqual([
    ['c', 90],
    ['d', 30],
    ['a', 20],
  ]);
});
