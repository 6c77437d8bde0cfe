import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/main/dev/embedded-postgres.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const program = path.resolve('test/main/dev/programs/postgres.ts');
const ordinaryId = 65_534;

let dataDir: string;
beforeEach(() => {
  dataDir = path.join(createTemporaryFolder(), 'data');
});

async function start(settings: Record<string, string> = {}) {
  const say = () => undefined;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    environment: process.env,
    say,
    preferredPort: 0,
    settings,
  });
  onTestFinished(postgres.stop);
  return postgres;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

interface Run {
  ending?: 'die';
  /** The id of the user that runs it. @default the user who runs the tests */
  user?: number;
}

/** Runs the program to its end, and returns what it printed. */
function run({ ending, user }: Run = {}): { url: string; pid: number } {
  const identity = user === undefined ? {} : { uid: user, gid: user };
  const ended = spawnSync(process.execPath, [program, dataDir, ending ?? 'stop'], {
    ...identity,
    encoding: 'utf8',
  });
  if (ended.stdout === '') throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as { url: string; pid: number };
}

describe('the embedded Postgres', () => {
  it('keeps its data over a restart', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('commits to disk, asks for the password, and gives Holdfast no superuser', async () => {
    const { url } = await start();
    const facts = `SELECT current_setting('fsync') AS fsync, current_setting('password_encryption') AS passwords,
      current_setting('listen_addresses') AS addresses, current_setting('server_version_num')::int / 10000 AS version,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`;
    expect(await query(url, facts)).toEqual([
      { fsync: 'on', passwords: 'scram-sha-256', addresses: '127.0.0.1', version: 18, superuser: false },
    ]);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(path.join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  });

  it('stops the server that a killed start left running, and keeps its data', async () => {
    const { pid } = run({ ending: 'die' });
    expect(() => process.kill(pid, 0)).not.toThrow();
    const { url } = await start();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although the process id of a killed server now belongs to another program', async () => {
    run();
    writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is set up again when its first set-up was interrupted', async () => {
    mkdirSync(path.join(dataDir, 'postgres.new'), { recursive: true });
    writeFileSync(path.join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'postgres-password']);
  });
});

describe('a data folder that cannot be used', () => {
  const cluster = (file: string) => path.join(dataDir, 'postgres', file);

  it('is refused when it belongs to another version', async () => {
    run();
    writeFileSync(cluster('PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(
      /was made by Postgres 15, and this is Postgres 18\. Nothing was changed/,
    );
  });

  it('is refused when files are missing', async () => {
    run();
    rmSync(cluster('global/pg_control'));
    await expect(start()).rejects.toThrow(/no global\/pg_control\)\. Nothing was changed/);
  });

  it('is refused when it is not a folder of Postgres', async () => {
    mkdirSync(cluster('.'), { recursive: true });
    writeFileSync(cluster('notes.txt'), 'mine');
    await expect(start()).rejects.toThrow(/is not a complete Postgres data folder[^]*Nothing was changed/);
    expect(readdirSync(cluster('.'))).toEqual(['notes.txt']);
  });

  it('is refused with the message of Postgres when its files are damaged', async () => {
    run();
    writeFileSync(cluster('global/pg_control'), 'garbage');
    await expect(start()).rejects.toThrow(
      /cannot be used: Postgres ended with [^]*pg_control[^]*Nothing was changed/,
    );
  });

  it('is refused when its password is missing or wrong', async () => {
    run();
    writeFileSync(path.join(dataDir, 'postgres-password'), 'another\n');
    await expect(start()).rejects.toThrow(/its password is not the one in .*postgres-password/);
    rmSync(path.join(dataDir, 'postgres-password'));
    await expect(start()).rejects.toThrow(/its password file .* is missing/);
  });
});

// An ordinary user of this machine reaches the clone only where every folder above it lets others pass.
const isRoot = process.getuid?.() === 0;
const canReach =
  spawnSync(process.execPath, ['--version'], { uid: ordinaryId, gid: ordinaryId }).status === 0;

const describeAsRoot = isRoot ? describe : undefined;

describeAsRoot?.('root', () => {
  it('Postgres runs in a folder that only root may enter', async () => {
    chmodSync(path.dirname(dataDir), 0o700);
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  const itWithOthers = canReach ? it : undefined;

  itWithOthers?.(
    'uses the data of an ordinary user as that user, and leaves them usable to him',
    async () => {
      chownSync(path.dirname(dataDir), ordinaryId, ordinaryId);
      run({ user: ordinaryId });
      const postgres = await start();
      expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await postgres.stop();
      expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(ordinaryId);
      expect(run({ user: ordinaryId }).url).toContain('postgres://holdfast');
    },
  );
});
