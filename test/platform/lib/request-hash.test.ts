import { expect, test } from 'vitest';
import { toRequestHash } from '../../../src/platform/lib/request-hash.ts';

const input = { message: 'hello', onBusy: 'reject' } as const;

test('the hash is the same for the same request, and another when any part differs', () => {
  const hashes = [
    toRequestHash('a', input),
    toRequestHash('b', input),
    toRequestHash('a', { ...input, message: 'bye' }),
    toRequestHash('a', { ...input, onBusy: 'enqueue' }),
  ];
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(toRequestHash('a', { ...input })).toBe(hashes[0]);
  expect(new Set(hashes).size).toBe(hashes.length);
});
