import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { findTemporal } from '../../src/main/dev/find-temporal.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startProcess, type ManagedProcess } from '../../src/main/dev/processes.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import { startTcpProxy, type TcpProxy } from '../../test/servers/tcp-proxy.ts';
import { startProgram } from '../programs/program.ts';
import { createActor, type Actor } from './actor.ts';
import { startModel, type FaultyModel } from './model.ts';
import { seedWorld, type WorldSeed } from './seed.ts';
import { startShop, type Shop } from './shop.ts';

/** Everything that a turn needs, each part in a process that can be killed. */
export interface World extends WorldSeed {
  origin: string;
  databaseUrl: string;
  shop: Shop;
  model: FaultyModel;
  postgres: Actor;
  temporal: Actor;
  /** The network between the programs and Temporal. */
  temporalLink: TcpProxy;
  api: Actor;
  workers: Actor[];
  close: () => Promise<void>;
}

interface WorldOptions {
  /** The folder of the logs and of Temporal's data. */
  folder: string;
  /** The folder of Postgres. */
  postgresFolder: string;
  temporalCli: string | undefined;
  cacheDir: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  signal: AbortSignal;
}

const workerCount = 2;

/** Starts Postgres, Temporal, an API, two workers, a model and a server of tools. */
export async function startWorld(options: WorldOptions): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const [shop, model] = await Promise.all([startShop(), startModel()]);
  stack.defer(shop.close);
  stack.defer(model.close);
  const { postgres, databaseUrl } = await startPostgres(options);
  stack.defer(() => postgres.kill('SIGINT'));
  const { temporal, address } = await startTemporal(options);
  stack.defer(() => temporal.kill('SIGTERM'));
  const temporalLink = await startTcpProxy(`tcp://${address}`);
  stack.defer(temporalLink.close);
  const seed = await seedWorld(databaseUrl);
  const mcpConfig = path.join(options.folder, 'mcp.json');
  writeFileSync(mcpConfig, JSON.stringify({ mcpServers: { shop: { url: shop.url } } }));
  const port = await findFreePort();
  const environment = {
    ...toBareEnvironment(options.environment),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalLink.port}`,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: 'false',
    PORT: String(port),
    HOLDFAST_DATA_DIR: options.folder,
    HOLDFAST_MCP_CONFIG: mcpConfig,
    HOLDFAST_COMPATIBLE_BASE_URL: model.url,
    HOLDFAST_ALLOW_LOOPBACK: 'true',
  };
  const createProgram = (name: string, file: string) =>
    createActor(async () => {
      const { process } = await startProgram({
        name,
        file,
        folder: options.folder,
        environment,
        signal: options.signal,
      });
      return process;
    });
  const api = createProgram('api', 'src/main/api.ts');
  const workers = Array.from({ length: workerCount }, (_, index) =>
    createProgram(`worker-${index + 1}`, 'src/main/worker.ts'),
  );
  for (const actor of [api, ...workers]) stack.defer(() => actor.kill());
  await Promise.all([api, ...workers].map((actor) => actor.start()));
  const opened = stack.move();
  return {
    ...seed,
    ...{ shop, model, postgres, temporal, temporalLink, api, workers, databaseUrl },
    origin: `http://127.0.0.1:${port}`,
    close: () => opened.disposeAsync(),
  };
}

async function startPostgres({ folder, postgresFolder, environment, say }: WorldOptions) {
  const first = await startEmbeddedPostgres({ dataDir: postgresFolder, environment, say, preferredPort: 0 });
  const { spawnfile, spawnargs } = first.process.child;
  const relaunch = async () => {
    const server = await startProcess({
      name: 'Postgres',
      file: spawnfile,
      arguments: spawnargs.slice(1),
      environment: toBareEnvironment(environment),
      output: { logFile: path.join(folder, 'postgres-again.log') },
    });
    await waitForPostgres(first.url, server);
    return server;
  };
  let launch = () => Promise.resolve(first.process);
  const postgres = createActor(() => launch());
  await postgres.start();
  launch = relaunch;
  return { postgres, databaseUrl: first.url };
}

async function waitForPostgres(url: string, server: ManagedProcess): Promise<void> {
  while (server.ending() === undefined) {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    const isReady = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isReady) return;
    await sleep(100);
  }
}

async function startTemporal(options: WorldOptions) {
  const { folder, environment } = options;
  const binary = await findTemporal(options);
  const port = await findFreePort();
  const temporal = createActor(async () => {
    const started = await startTemporalServer({
      ...{ binary, port, environment },
      databaseFile: path.join(folder, 'temporal.db'),
      logFile: path.join(folder, 'temporal.log'),
    });
    return started.process;
  });
  await temporal.start();
  return { temporal, address: `127.0.0.1:${port}` };
}
