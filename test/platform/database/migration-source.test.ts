import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../../src/platform/database/migration-source.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

function createFolder(files: Record<string, string>): string {
  const folder = createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

test('the migrations have numbers of their own, and are loaded in the order of these', async () => {
  const { names } = await readMigrations();
  const numbers = names.map((name) => name.slice(0, 4));
  expect(names[0]).toBe('0001-baseline');
  expect(names.filter((name) => !/^\d{4}(?:-[a-z0-9]+)+$/.test(name))).toEqual([]);
  expect(numbers).toEqual([...new Set(numbers)].sort());
});

test('a packed build has the same migrations as JavaScript, under the same names', async () => {
  const up = 'export async function up() {}';
  const folder = createFolder({
    '0002-b.mjs': `${up}\nexport const isCompatible = false, config = { transaction: false };`,
    '0001-a.mjs': up,
    '0001-a.d.ts': 'export declare function up(): Promise<void>;',
    'shared.mjs': '',
  });
  const { names, isCompatible, source } = await readMigrations(folder, '.mjs');
  expect(names).toEqual(['0001-a', '0002-b']);
  expect(names.map(isCompatible)).toEqual([true, false]);
  expect(await source.getMigrations([])).toEqual(names);
  expect(await source.getMigration('0001-a')).not.toHaveProperty('config');
  expect(await source.getMigration('0002-b')).toMatchObject({ config: { transaction: false } });
});

test('a file without "up" is refused by its path', async () => {
  const folder = createFolder({ '0001-a.mjs': 'export const down = 1;' });
  await expect(readMigrations(folder, '.mjs')).rejects.toThrow(/0001-a\.mjs must export a function "up"/);
});
