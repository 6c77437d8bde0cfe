import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longFiles } from './longest-first.ts';

test('the files that run first exist', () => {
  expect(longFiles.filter((file) => !existsSync(file))).toEqual([]);
});
