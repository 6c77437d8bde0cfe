import path from 'node:path';
import { toBareEnvironment } from '../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../src/main/dev/embedded-postgres.ts';
import { findFreePort } from '../src/main/dev/ports.ts';
import { workerNodeOptions, workerVariables } from '../src/main/dev/start-programs.ts';
import { waitForHttp } from '../src/main/dev/wait-for-ready.ts';
import { startCluster } from './engines/cluster.ts';
import { startDevServer } from './engines/dev-server.ts';
import type { EngineName, EngineOptions } from './engines/engine.ts';
import { seedDatabase } from './holdfast/seed.ts';
import { createJournalTable } from './raw/journal.ts';
import type { BenchRow } from './rows.ts';
import type { TimedProcess } from './measure/processor-time.ts';
import type { ClientRequests, Seed, SubmitRequests, WorkerRequests } from './programs/contract.ts';
import { startProgram, type Program } from './programs/program.ts';

/** The running programs of a measurement. */
export interface Stage {
  databaseUrl: string;
  seed: Seed;
  /** The address of the API. */
  origin: string;
  client: Program<ClientRequests>;
  workers: Record<'holdfast' | 'raw', Program<WorkerRequests>>;
  /** The worker that runs replays; the worker of turns where there is no other. */
  replayWorker: Program<WorkerRequests>;
  /** All processes but the workers. */
  processes: TimedProcess[];
}

/** The input for starting a stage. */
export interface StageOptions extends Omit<EngineOptions, 'databaseUrl'> {
  engine: EngineName;
  profile: string | undefined;
  /** Starts a worker that runs replays alone, beside one that runs none. @default false: one worker runs all */
  replayWorker?: boolean;
  /** Receives the programs to stop, in the order in which they were started. */
  stack: AsyncDisposableStack;
}

const workerFile = 'bench/programs/holdfast-worker.ts';

const engines = { 'dev-server': startDevServer, cluster: startCluster };

/** Starts Postgres, a Temporal server, the API, the workers and the client; null when there is no such server. */
export async function setStage(options: StageOptions): Promise<Stage | null> {
  const { engine: name, folder, environment, say, stack } = options;
  const postgres = await startEmbeddedPostgres({ dataDir: folder, environment, say, preferredPort: 0 });
  stack.defer(postgres.stop);
  const databaseUrl = postgres.url;
  const engine = await engines[name]({ ...options, databaseUrl });
  if (engine === null) return null;
  stack.defer(engine.stop);
  const seed = await seedDatabase(databaseUrl);
  await createJournalTable(databaseUrl);
  const { api, origin, client, workers, replayWorker } = await startPrograms(options, {
    databaseUrl,
    address: engine.address,
  });
  for (const program of [client, ...Object.values(workers)]) await program.ask('open', { seed, origin });
  return {
    ...{ databaseUrl, seed, origin },
    client,
    workers,
    replayWorker,
    processes: [
      { name: 'temporal', pid: engine.process.pid },
      { name: 'postgres', pid: postgres.process.pid, withChildren: true },
      { name: 'api', pid: api.process.pid },
      { name: 'client', pid: client.process.pid },
    ],
  };
}

interface Addresses {
  databaseUrl: string;
  address: string;
}

async function startPrograms(options: StageOptions, { databaseUrl, address }: Addresses) {
  const { folder, signal, stack, profile } = options;
  const port = await findFreePort();
  const environment = {
    ...toBareEnvironment(options.environment),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: 'false',
    HOLDFAST_TASK_QUEUE: 'bench',
    PORT: String(port),
  };
  const start = async <Asks extends object>(
    name: string,
    file: string,
    more: Record<string, string> = {},
  ): Promise<Program<Asks>> => {
    const isWorker = name.endsWith('worker');
    const profiling =
      profile && isWorker ? toProfile(path.resolve(profile), `${options.engine}-${name}`) : [];
    const nodeArguments = [...(isWorker ? workerNodeOptions : []), ...profiling];
    const program = await startProgram<Asks>({
      name,
      file,
      nodeArguments,
      folder,
      signal,
      environment: { ...(isWorker ? workerVariables : {}), ...environment, ...more },
    });
    stack.defer(async () => {
      await program.process.stop();
    });
    return program;
  };
  const workers = {
    holdfast: await start<WorkerRequests>('worker', workerFile, {
      HOLDFAST_WORKER_ROLE: options.replayWorker ? 'turns' : 'all',
    }),
    raw: await start<WorkerRequests>('raw-worker', 'bench/programs/raw-worker.ts'),
  };
  const replayWorker = options.replayWorker
    ? await start<WorkerRequests>('replay-worker', workerFile, { HOLDFAST_WORKER_ROLE: 'replays' })
    : workers.holdfast;
  const api = await start('api', 'src/main/api.ts');
  const origin = `http://127.0.0.1:${port}`;
  await waitForHttp(`${origin}/health/ready`, api.process);
  return {
    workers,
    replayWorker,
    api,
    origin,
    client: await start<ClientRequests>('client', 'bench/programs/client.ts'),
  };
}

/** Finds the program that submits the turns of a row. */
export function findSubmitter({ client, workers }: Stage, row: BenchRow): Program<SubmitRequests> {
  return row.through === 'worker' ? workers[row.kind] : client;
}

/** Returns a separate folder for each worker, since each of its threads writes a file. */
function toProfile(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${path.join(folder, name)}`];
}
