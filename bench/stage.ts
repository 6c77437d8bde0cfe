import path from 'node:path';
import type { EngineName } from './engines/engine.ts';
import { startGround } from './engines/start-ground.ts';
import { seedDatabase } from './holdfast/seed.ts';
import type { TimedProcess } from './measure/processor-time.ts';
import type { Place } from './place.ts';
import type { ClientRequests, Seed, SubmitRequests, WorkerRequests } from './programs/contract.ts';
import type { Program } from './programs/program.ts';
import { startApiInPlace, startInPlace, startProgramInPlace } from './programs/start-in-place.ts';
import { createJournalTable } from './raw/journal.ts';
import type { BenchRow } from './rows.ts';

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

/** The programs of a stage that differ from one measurement to the other. */
export interface StageOptions {
  engine: EngineName;
  profile: string | undefined;
  /** Starts a worker that runs replays alone, beside one that runs none. @default false: one worker runs all */
  replayWorker?: boolean;
}

const workerFile = 'bench/programs/holdfast-worker.ts';

/** Starts Postgres, a Temporal server, the API, the workers and the client; null when there is no such server. */
export async function setStage(place: Place, options: StageOptions): Promise<Stage | null> {
  const ground = await startGround(place, { engine: options.engine });
  if (ground === null) return null;
  const { databaseUrl, postgres, temporal } = ground;
  const seed = await seedDatabase(databaseUrl);
  await createJournalTable(databaseUrl);
  const variables = { ...ground.variables, HOLDFAST_TASK_QUEUE: 'bench' };
  const { api, client, ...programs } = await startPrograms(place, options, variables);
  const { origin } = api;
  for (const program of [client, ...Object.values(programs.workers)])
    await program.ask('open', { seed, origin });
  return {
    ...{ databaseUrl, seed, origin },
    client,
    ...programs,
    processes: [
      { name: 'temporal', pid: temporal.pid },
      { name: 'postgres', pid: postgres.pid, withChildren: true },
      { name: 'api', pid: api.process.pid },
      { name: 'client', pid: client.process.pid },
    ],
  };
}

async function startPrograms(
  place: Place,
  { engine, profile, replayWorker: hasOwn }: StageOptions,
  variables: Record<string, string>,
) {
  const startWorker = (name: string, file: string, more: Record<string, string> = {}) =>
    startProgramInPlace<WorkerRequests>(place, {
      ...{ name, file, variables: { ...variables, ...more } },
      nodeArguments: profile ? toProfile(path.resolve(profile), `${engine}-${name}`) : [],
    });
  const role = { HOLDFAST_WORKER_ROLE: hasOwn ? 'turns' : 'all' };
  const holdfast = await startWorker('worker', workerFile, role);
  const workers = { holdfast, raw: await startWorker('raw-worker', 'bench/programs/raw-worker.ts') };
  const replayWorker = hasOwn
    ? await startWorker('replay-worker', workerFile, { HOLDFAST_WORKER_ROLE: 'replays' })
    : holdfast;
  const api = await startApiInPlace(place, variables);
  const client = await startInPlace<ClientRequests>(place, {
    ...{ name: 'client', file: 'bench/programs/client.ts', variables },
  });
  return { workers, replayWorker, api, client };
}

/** Finds the program that submits the turns of a row. */
export function findSubmitter({ client, workers }: Stage, row: BenchRow): Program<SubmitRequests> {
  return row.through === 'worker' ? workers[row.kind] : client;
}

/** Returns a separate folder for each worker, since each of its threads writes a file. */
function toProfile(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${path.join(folder, name)}`];
}
