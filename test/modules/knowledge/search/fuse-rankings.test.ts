import { expect, test } from 'vitest';
import { fuseRankings } from '../../../../src/modules/knowledge/search/fuse-rankings.ts';
import {
  createBestList,
  multiply,
  toUnitVector,
  toVectorBytes,
} from '../../../../src/modules/knowledge/search/vectors.ts';

function ranking(...positions: number[]) {
  return positions.map((position) => ({ documentId: 'document', position }));
}

test('an item in both rankings comes before an item that is first in one ranking', () => {
  const fused = fuseRankings([ranking(1, 2, 3), ranking(4, 2, 5)]);
  expect(fused.map(({ position }) => position)).toEqual([2, 1, 4, 3, 5]);
  expect(fused[0]?.score).toBeCloseTo(1 / 62 + 1 / 62, 12);
  expect(fused[1]?.score).toBeCloseTo(1 / 61, 12);
});

test('a single ranking keeps its order, and no ranking gives no items', () => {
  expect(fuseRankings([ranking(3, 1, 2), []]).map(({ position }) => position)).toEqual([3, 1, 2]);
  expect(fuseRankings([[], []])).toEqual([]);
});

test('the same chunk index in two documents counts as two items', () => {
  const fused = fuseRankings([ranking(1), [{ documentId: 'other', position: 1 }]]);
  expect(fused).toHaveLength(2);
});

test('the dot product of stored vectors is their cosine, and 0 for different lengths', () => {
  const vector = toUnitVector([3, 4, 0]);
  expect(multiply(vector, toVectorBytes(toUnitVector([30, 40, 0])))).toBeCloseTo(1, 6);
  expect(multiply(vector, toVectorBytes(toUnitVector([-4, 3, 0])))).toBeCloseTo(0, 6);
  expect(multiply(vector, toVectorBytes(toUnitVector([1, 2])))).toBeNull();
  expect([...toUnitVector([0, 0])]).toEqual([0, 0]);
  expect([...toUnitVector([Number.NaN, 2])]).toEqual([0, 1]);
});

test('a list of the best items has no more than the requested number', () => {
  const best = createBestList<number>(3);
  for (let value = 0; value < 100; value += 1) best.add(value, (value * 37) % 101);
  const scores = best.items().map((value) => (value * 37) % 101);
  expect(scores).toEqual([...scores].sort((one, other) => other - one));
  expect(scores[0]).toBe(100);
  expect(scores).toHaveLength(3);
});
