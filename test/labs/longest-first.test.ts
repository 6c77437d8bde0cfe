import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { durations } from './longest-first.ts';

test('the files whose durations are known exist', () => {
  const known = Object.keys(durations);
  expect(known.length).toBeGreaterThan(20);
  expect(known.filter((file) => !existsSync(file))).toEqual([]);
});
