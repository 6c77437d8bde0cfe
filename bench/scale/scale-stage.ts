import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { EngineName } from '../engines/engine.ts';
import { startGround } from '../engines/start-ground.ts';
import { seedDatabase, type SeededAgent } from '../holdfast/seed.ts';
import type { Place } from '../place.ts';
import type { LoadRequests, MeasuredRequests, ModelRequests, Seed } from '../programs/contract.ts';
import { startApiInPlace, startInPlace, startProgramInPlace } from '../programs/start-in-place.ts';
import type { LoadTarget } from './load-target.ts';

/** A running installation under load. */
export interface ScaleStage extends Omit<LoadTarget, 'row' | 'apiKey' | 'agentId'> {
  seed: Seed;
}

/** How many programs an installation has, and on which Temporal server. */
interface Installation {
  engine: EngineName;
  apis: number;
  workers: number;
}

/** The installation that is measured on each Temporal server. */
export const installations: Record<EngineName, Installation> = {
  cluster: { engine: 'cluster', apis: 2, workers: 4 },
  'dev-server': { engine: 'dev-server', apis: 1, workers: 1 },
};

/** The load that a program runs before it is measured, since its first turns are slower. */
export const warmUp = { inFlight: 20, durationMs: 5_000 };

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

/** Settings of Postgres that allow the sessions of all programs. */
const postgresSettings = { max_connections: '600' };

/** Starts all programs of an installation; null when there is no Temporal server to run. */
export async function startScaleStage(
  place: Place,
  { engine, apis: apiCount, workers: workerCount }: Installation,
): Promise<ScaleStage | null> {
  const ground = await startGround(place, { engine, settings: postgresSettings });
  if (ground === null) return null;
  const { databaseUrl, postgres, temporal } = ground;
  const seed = await seedDatabase(databaseUrl, seededAgent);
  const model = await startInPlace<ModelRequests>(place, {
    ...{ name: 'model', file: 'bench/programs/scale-model.ts' },
  });
  const variables = {
    ...ground.variables,
    HOLDFAST_TASK_QUEUE: 'scale',
    HOLDFAST_DATA_DIR: place.folder,
    HOLDFAST_LOG_LEVEL: 'warn',
    HOLDFAST_COMPATIBLE_BASE_URL: await model.ask('readUrl'),
    HOLDFAST_ALLOW_LOOPBACK: 'true',
  };
  const apis = await startEach(apiCount, (index) => startApiInPlace(place, variables, `api-${index}`));
  const workers = await startEach(workerCount, (index) =>
    startProgramInPlace<MeasuredRequests>(place, {
      ...{ name: `worker-${index}`, file: 'bench/programs/scale-worker.ts', variables },
    }),
  );
  const load = await startInPlace<LoadRequests>(place, {
    ...{ name: 'load', file: 'bench/programs/scale-load.ts' },
  });
  return {
    ...{ seed, model, load, workers, databaseUrl },
    origins: apis.map(({ origin }) => origin),
    groups: {
      api: apis.map((one) => one.process),
      worker: workers.map((one) => one.process),
      temporal: [temporal],
      postgres: [postgres],
      outside: [model.process, load.process],
    },
  };
}

/** Returns the part of an installation that runs turns in one mode. */
export function toTarget(stage: ScaleStage, execution: ExecutionMode): LoadTarget {
  const { apiKey, agentIds } = stage.seed;
  return { ...stage, row: execution, apiKey, agentId: agentIds[execution] };
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
