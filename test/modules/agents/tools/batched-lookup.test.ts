import { expect, test } from 'vitest';
import { createBatchedLookup } from '../../../../src/modules/agents/tools/batched-lookup.ts';

function createLookup() {
  const batches: string[][] = [];
  const find = createBatchedLookup((keys) => {
    batches.push(keys);
    if (keys.includes('broken')) return Promise.reject(new Error('broken'));
    return Promise.resolve(
      new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `found ${key}`])),
    );
  });
  return { batches, find };
}

test('keys that are asked for at the same time are found at once, each of them once', async () => {
  const { batches, find } = createLookup();
  expect(await Promise.all(['a', 'b', 'a', 'missing'].map(find))).toEqual([
    'found a',
    'found b',
    'found a',
    null,
  ]);
  expect(await Promise.all(['b', 'c'].map(find))).toEqual(['found b', 'found c']);
  expect(batches).toEqual([['a', 'b', 'missing'], ['c']]);
});

test('a batch that fails fails for each of its keys, and for no other', async () => {
  const { find } = createLookup();
  const results = await Promise.allSettled(['a', 'broken'].map(find));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find('b')).toBe('found b');
});
