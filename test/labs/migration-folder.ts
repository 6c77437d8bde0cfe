import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder } from './temporary-folder.ts';

/** The migrations of the program. */
export const realMigrations = path.join(import.meta.dirname, '../../src/migrations');
/** Migrations as later releases may add them. */
export const laterMigrations = path.join(import.meta.dirname, '../fixtures/migrations');

/** Makes a folder with those migrations of the folders that pass `keep`, for the time of a test. */
export function createMigrationFolder(sources: readonly string[], keep = /^\d{4}-/): string {
  const folder = createTemporaryFolder();
  for (const source of sources)
    for (const file of readdirSync(source).filter((name) => /^\d{4}-/.test(name) && keep.test(name)))
      writeFileSync(path.join(folder, file), `export * from '${path.join(source, file)}';\n`);
  return folder;
}
