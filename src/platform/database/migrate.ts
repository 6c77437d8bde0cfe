import { setTimeout as sleep } from 'node:timers/promises';
import knexFactory, { type Knex } from 'knex';
import { HoldfastError } from '../../domain/errors.ts';
import { checkLogin, grantProgramRoles } from './login-rights.ts';
import { readMigrations, type Migrations } from './migration-source.ts';

/** Any number that no other program on the same database uses for an advisory lock. */
const migrationLock = 7_042_331;
const lockPollMs = 100;

interface AppliedMigration {
  name: string;
  /** Null when no program said so, which counts as false. */
  isCompatible: boolean | null;
}

/**
 * Migrates a database to the schema of this version. When several processes call this, one migrates and the rest wait.
 * A login that does not own the tables changes nothing: then the schema is only checked. Returns the names of the migrations
 * that ran, in their order.
 * @param folder - Of the migrations; by default those of this version.
 * @throws HoldfastError `CONFLICT` when the schema is too new for this version, or too old and the login cannot
 * migrate; `FORBIDDEN` when the login lacks a right; nothing is changed then
 */
export async function migrateDatabase(databaseUrl: string, folder?: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return withKnex(databaseUrl, async (knex) => {
    for (;;) {
      const applied = await knex.transaction((lock) => migrateWhenFree(knex, lock, migrations));
      if (applied !== undefined) return applied;
      await sleep(lockPollMs);
    }
  });
}

/**
 * Returns undefined when another process migrates. The caller then ends the transaction and begins another: CREATE INDEX
 * CONCURRENTLY of that process waits for the ends of all transactions that have a snapshot when it looks, so a
 * transaction that waited for the lock could be waited for.
 */
async function migrateWhenFree(
  knex: Knex,
  lock: Knex,
  migrations: Migrations,
): Promise<string[] | undefined> {
  const tryLock = `SELECT pg_try_advisory_xact_lock(${migrationLock}) AS taken`;
  const { rows } = await lock.raw<{ rows: { taken: boolean }[] }>(tryLock);
  if (rows[0]?.taken !== true) return undefined;
  const login = await checkLogin(lock);
  // A statement with parameters keeps its snapshot in the transaction until its portal is closed.
  await lock.raw('CLOSE ALL');
  if (login === 'owner') return migrate(knex, migrations);
  await lock.raw('SET LOCAL ROLE holdfast_system');
  await checkSchema(lock, migrations);
  return [];
}

/** Lets the login of another address run the programs on the database of this one. */
export async function allowPrograms(ownerUrl: string, programUrl: string): Promise<void> {
  const login = decodeURIComponent(new URL(programUrl).username);
  if (login === '' || login === decodeURIComponent(new URL(ownerUrl).username)) return;
  await withKnex(ownerUrl, (knex) => grantProgramRoles(knex, login));
}

async function withKnex<Result>(databaseUrl: string, run: (knex: Knex) => Promise<Result>): Promise<Result> {
  const connection = { client: 'pg', connection: databaseUrl, pool: { min: 1, max: 2 } };
  // knex prints errors of connecting to the standard output, and throws them too.
  const knex = knexFactory({ ...connection, log: { warn: () => undefined, error: () => undefined } });
  try {
    return await run(knex);
  } finally {
    await knex.destroy();
  }
}

async function migrate(knex: Knex, { names, isCompatible, source }: Migrations): Promise<string[]> {
  refuseBreaking(await listAppliedAsOwner(knex), names);
  // The list of knex is not validated, since it refuses every migration that it does not know.
  const options = { migrationSource: source, disableMigrationsListValidation: true };
  await knex.migrate.forceFreeMigrationsLock(options);
  const [, applied] = (await knex.migrate.latest(options)) as [number, string[]];
  const rows = names.map((name) => ({ name, is_compatible: isCompatible(name) }));
  await knex('applied_migrations').insert(rows).onConflict('name').merge(['is_compatible']);
  return applied;
}

async function listAppliedAsOwner(knex: Knex): Promise<AppliedMigration[]> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return [];
  const names = await knex('knex_migrations').pluck<string[]>('name');
  const known = (await knex.schema.hasTable('applied_migrations')) ? await listApplied(knex) : [];
  const facts = new Map(known.map(({ name, isCompatible }) => [name, isCompatible]));
  return names.map((name) => ({ name, isCompatible: facts.get(name) ?? null }));
}

function listApplied(knex: Knex): Promise<AppliedMigration[]> {
  return knex('applied_migrations').select<AppliedMigration[]>('name', { isCompatible: 'is_compatible' });
}

async function checkSchema(knex: Knex, { names }: Migrations): Promise<void> {
  const applied = (await knex.schema.hasTable('applied_migrations')) ? await listApplied(knex) : [];
  refuseBreaking(applied, names);
  const known = new Set(applied.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw new HoldfastError(
    'CONFLICT',
    `The database lacks the migrations ${missing.join(', ')}, and the user of DATABASE_URL may not apply them. ` +
      'Run "holdfast migrate" with DATABASE_OWNER_URL first.',
  );
}

function refuseBreaking(applied: AppliedMigration[], names: readonly string[]): void {
  const breaking = applied.filter(({ name, isCompatible }) => !isCompatible && !names.includes(name));
  if (breaking.length === 0) return;
  throw new HoldfastError(
    'CONFLICT',
    `The database was made by a newer version of Holdfast: it has the migrations ` +
      `${breaking.map(({ name }) => name).join(', ')}, which this version cannot run with; ` +
      `it knows up to ${names.at(-1) ?? 'none'}. Nothing was changed. ` +
      'Start the newer version, or use another database.',
  );
}
