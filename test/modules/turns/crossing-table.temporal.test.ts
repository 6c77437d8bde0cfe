import { expect, test } from 'vitest';
import { crossedEnds, crossingMessages } from '../../labs/crossing-case.ts';
import { rows, testCrossings } from './crossing-table.ts';

test('the table of the documentation has a row for each end, and a cell for each message', () => {
  expect(rows.map(({ end }) => end)).toEqual([...crossedEnds]);
  for (const { cells } of rows) expect(cells).toHaveLength(crossingMessages.length);
});

// The long tests have all ends, in both modes.
testCrossings(['direct'], ['answer', 'cancel', 'deadline', 'budget']);
