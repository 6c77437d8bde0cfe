import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

/** The exports of a file of `src/migrations`. Migrations have no `down`: to go back, restore the database from a backup. */
interface Migration {
  up: (knex: Knex) => Promise<void>;
  /** False when programs that do not know the migration cannot run on its schema; see README.md. @default true */
  isCompatible?: boolean;
  /** `{ transaction: false }` runs `up` outside a transaction, as `CREATE INDEX CONCURRENTLY` needs it. */
  config?: { transaction?: boolean };
}

/** The migrations of a folder. */
export interface Migrations {
  /** Their names without a file extension, in the order in which they run: knex stores them, and `.ts` is not `.js`. */
  names: readonly string[];
  /** Returns true when programs that do not know the migration run on its schema. */
  isCompatible: (name: string) => boolean;
  source: Knex.MigrationSource<string>;
}

const folderOfMigrations = path.join(import.meta.dirname, '../../migrations');
/** `0001-baseline`; files without a number hold what migrations share. */
const namePattern = /^\d{4}-/;

/**
 * Loads the migrations of a folder: the files whose names begin with four digits, as TypeScript or, in a packed build, as
 * JavaScript.
 * @throws Error when a file exports no `up`
 */
export async function readMigrations(
  folder = folderOfMigrations,
  extension = path.extname(import.meta.filename),
): Promise<Migrations> {
  const names = readdirSync(folder)
    .filter((file) => namePattern.test(file) && file.endsWith(extension) && !file.endsWith('.d.ts'))
    .map((file) => path.basename(file, extension))
    .sort();
  const loaded = await Promise.all(
    names.map(async (name) => [name, await loadMigration(path.join(folder, name + extension))] as const),
  );
  const migrations = new Map(loaded);
  return {
    names,
    isCompatible: (name) => migrations.get(name)?.isCompatible ?? true,
    source: {
      getMigrations: () => Promise.resolve([...names]),
      getMigrationName: (name) => name,
      getMigration: (name) => Promise.resolve(toKnexMigration(migrations.get(name))),
    },
  };
}

async function loadMigration(file: string): Promise<Migration> {
  const migration = (await import(pathToFileURL(file).href)) as Partial<Migration>;
  if (typeof migration.up !== 'function') throw new Error(`${file} must export a function "up".`);
  return migration as Migration;
}

function toKnexMigration(migration: Migration | undefined): Knex.Migration {
  if (!migration) throw new Error('knex asks for a migration that is not in the folder');
  const down = () => Promise.reject(new Error('migrations only go forward'));
  return { up: migration.up, down, ...(migration.config ? { config: migration.config } : {}) };
}
