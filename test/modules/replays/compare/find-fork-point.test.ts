import { expect, test } from 'vitest';
import { findForkPoint } from '../../../../src/modules/replays/compare/find-fork-point.ts';

/** A conversation and those that it was forked from: the id, and the ordinals of the fork in the parent and in itself. */
function line(...forks: [id: string, parentId: string | null, there?: number, here?: number][]) {
  return forks.map(([id, parentId, parentOrdinal = null, forkOrdinal = parentOrdinal]) => ({
    ...{ id, parentId, parentOrdinal, forkOrdinal, isDeleted: false },
  }));
}

const parent = line(['a', null]);
const early = line(['b', 'a', 2], ['a', null]);
const late = line(['c', 'a', 5], ['a', null]);

test('a fork parts from its parent at the forked turn', () => {
  expect(findForkPoint(parent, late)).toEqual([5, 5]);
  expect(findForkPoint(late, parent)).toEqual([5, 5]);
});

test('two forks part where the earlier one was forked', () => {
  expect(findForkPoint(early, late)).toEqual([2, 2]);
  expect(findForkPoint(late, early)).toEqual([2, 2]);
  expect(findForkPoint(line(['b', 'a', 5], ['a', null]), late)).toEqual([5, 5]);
});

test('a fork of a fork parts from the first one at the earlier of both places', () => {
  expect(findForkPoint(parent, line(['d', 'c', 7], ['c', 'a', 5], ['a', null]))).toEqual([5, 5]);
  expect(findForkPoint(parent, line(['d', 'c', 3], ['c', 'a', 5], ['a', null]))).toEqual([3, 3]);
  expect(findForkPoint(early, line(['d', 'b', 4], ['b', 'a', 2], ['a', null]))).toEqual([4, 4]);
});

test('forks whose first own turn has another number part at their own numbers', () => {
  expect(findForkPoint(parent, line(['b', 'a', 5, 7], ['a', null]))).toEqual([5, 7]);
  expect(findForkPoint(parent, line(['b', 'a', 5, 1], ['a', null]))).toEqual([5, 1]);
});

test('forks of a conversation that is removed have it in common all the same', () => {
  expect(findForkPoint(line(['b', 'a', 2]), line(['c', 'a', 5]))).toEqual([2, 2]);
});

test('other conversations have nothing in common', () => {
  expect(findForkPoint(parent, line(['z', null]))).toBeNull();
  expect(findForkPoint(parent, parent)).toBeNull();
  expect(findForkPoint(early, line(['y', 'z', 2], ['z', null]))).toBeNull();
});
