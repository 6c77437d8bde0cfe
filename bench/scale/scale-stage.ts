import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import type { ManagedProcess } from '../../src/main/dev/processes.ts';
import { waitForHttp } from '../../src/main/dev/wait-for-ready.ts';
import { startCluster } from '../engines/cluster.ts';
import type { EngineOptions } from '../engines/engine.ts';
import { seedDatabase, type SeededAgent } from '../holdfast/seed.ts';
import type { LoadRequests, MeasuredRequests, ModelRequests, Seed } from '../programs/contract.ts';
import { startProgram, type Program } from '../programs/program.ts';

/** The programs of an installation by their kind; Postgres counts with the processes of its sessions. */
export type ProgramGroups = Record<string, ManagedProcess[]>;

/** A running installation under load. */
export interface ScaleStage {
  seed: Seed;
  databaseUrl: string;
  /** The addresses of the APIs. */
  origins: string[];
  model: Program<ModelRequests>;
  load: Program<LoadRequests>;
  workers: Program<MeasuredRequests>[];
  /** The programs of Holdfast, Temporal, Postgres, and those that stand for the world outside. */
  groups: ProgramGroups;
}

/** The input for starting an installation. */
export interface ScaleStageOptions extends Omit<EngineOptions, 'databaseUrl'> {
  /** Receives the programs to stop, in the order in which they were started. */
  stack: AsyncDisposableStack;
}

const apiCount = 2;
const workerCount = 4;

const seededAgent: SeededAgent = {
  model: 'compatible/scale',
  tool: {
    type: 'function',
    name: 'calculate',
    description: 'Calculates an arithmetic expression.',
    schema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
    config: { functionName: 'calculate' },
  },
};

/** Settings of Postgres with room for the sessions of all programs. */
export const postgresSettings = { max_connections: '600' };

/** Starts all programs of an installation; null when there is no Temporal server to run. */
export async function startScaleStage(options: ScaleStageOptions): Promise<ScaleStage | null> {
  const { folder, environment, say, signal, stack } = options;
  const settings = postgresSettings;
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    environment,
    say,
    preferredPort: 0,
    settings,
  });
  stack.defer(postgres.stop);
  const engine = await startCluster({ ...options, databaseUrl: postgres.url });
  if (engine === null) return null;
  stack.defer(engine.stop);
  const seed = await seedDatabase(postgres.url, seededAgent);
  const start = async <Asks extends object>(name: string, file: string, more: NodeJS.ProcessEnv = {}) => {
    const all = { ...toBareEnvironment(environment), ...more };
    const program = await startProgram<Asks>({ name, file, folder, environment: all, signal });
    stack.defer(async () => {
      await program.process.stop();
    });
    return program;
  };
  const model = await start<ModelRequests>('model', 'bench/programs/scale-model.ts');
  const shared = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: engine.address,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: 'false',
    HOLDFAST_TASK_QUEUE: 'scale',
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_LOG_LEVEL: 'warn',
    HOLDFAST_COMPATIBLE_BASE_URL: await model.ask('readUrl'),
    HOLDFAST_ALLOW_LOOPBACK: 'true',
  };
  const apis = await startEach(apiCount, async (index) => {
    const port = await findFreePort();
    const { process } = await start(`api-${index}`, 'src/main/api.ts', { ...shared, PORT: String(port) });
    const origin = `http://127.0.0.1:${port}`;
    await waitForHttp(`${origin}/health/ready`, process);
    return { process, origin };
  });
  const workers = await startEach(workerCount, (index) =>
    start<MeasuredRequests>(`worker-${index}`, 'bench/programs/scale-worker.ts', shared),
  );
  const load = await start<LoadRequests>('load', 'bench/programs/scale-load.ts');
  return {
    ...{ seed, model, load, workers, databaseUrl: postgres.url },
    origins: apis.map(({ origin }) => origin),
    groups: {
      api: apis.map((one) => one.process),
      worker: workers.map((one) => one.process),
      temporal: [engine.process],
      postgres: [postgres.process],
      outside: [model.process, load.process],
    },
  };
}

/** Starts programs one after the other, since the first worker fills the cache of the workflow bundle. */
async function startEach<Started>(
  count: number,
  start: (index: number) => Promise<Started>,
): Promise<Started[]> {
  const started: Started[] = [];
  for (let index = 1; index <= count; index += 1) started.push(await start(index));
  return started;
}
