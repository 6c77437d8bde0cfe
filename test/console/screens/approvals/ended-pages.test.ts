import { expect, test } from 'vitest';
import type { PendingAction } from '../../../../console/src/api/types.ts';
import { mergePages, toEndedPage } from '../../../../console/src/screens/approvals/ended-pages.ts';

const actions = (...ids: string[]) => ids.map((id) => ({ id }) as PendingAction);

test('lists are shown in one order, as far as each of them was read', () => {
  const first = toEndedPage([
    { status: 'approved', items: actions('9', '7', '6'), nextCursor: '6' },
    { status: 'rejected', items: actions('8', '2'), nextCursor: '2' },
    { status: 'expired', items: actions('5'), nextCursor: null },
  ]);
  expect(first.next).toEqual({ approved: '6', rejected: '2' });
  expect(mergePages([first]).map(({ id }) => id)).toEqual(['9', '8', '7', '6']);

  const second = toEndedPage([
    { status: 'approved', items: actions('4', '3'), nextCursor: null },
    { status: 'rejected', items: actions('1'), nextCursor: null },
  ]);
  expect(second.next).toEqual({});
  expect(mergePages([first, second]).map(({ id }) => id)).toEqual([
    '9',
    '8',
    '7',
    '6',
    '5',
    '4',
    '3',
    '2',
    '1',
  ]);
});
