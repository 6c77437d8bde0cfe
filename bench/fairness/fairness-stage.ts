import { startGround } from '../engines/start-ground.ts';
import { seedDatabase, seedTenant } from '../holdfast/seed.ts';
import type { TimedProcess } from '../measure/processor-time.ts';
import type { Place } from '../place.ts';
import type { ClientRequests, HoldfastWorkerRequests, Seed } from '../programs/contract.ts';
import type { Program } from '../programs/program.ts';
import { startApiInPlace, startInPlace, startProgramInPlace } from '../programs/start-in-place.ts';

/** A workspace, and the program that submits its turns. */
export interface Tenant {
  seed: Seed;
  client: Program<ClientRequests>;
}

/** The running programs of a measurement: one installation with two workspaces. */
export interface FairnessStage {
  databaseUrl: string;
  worker: Program<HoldfastWorkerRequests>;
  /** The workspace that submits many turns. */
  busy: Tenant;
  /** The workspace that submits one turn at a time. */
  quiet: Tenant;
  /** The programs of the installation. */
  processes: TimedProcess[];
}

/** Starts what `npm start` starts, with a model and a tool that do nothing. */
export async function startFairnessStage(place: Place): Promise<FairnessStage> {
  const ground = await startGround(place, { engine: 'dev-server' });
  if (!ground) throw new Error('There is no Temporal server.');
  const { databaseUrl, postgres, temporal } = ground;
  const seeds = { busy: await seedDatabase(databaseUrl), quiet: await seedTenant(databaseUrl) };
  const variables = { ...ground.variables, HOLDFAST_TASK_QUEUE: 'fairness' };
  const worker = await startProgramInPlace<HoldfastWorkerRequests>(place, {
    ...{ name: 'worker', file: 'bench/programs/holdfast-worker.ts', variables },
  });
  const api = await startApiInPlace(place, variables);
  const startTenant = async (name: keyof typeof seeds): Promise<Tenant> => {
    const client = await startInPlace<ClientRequests>(place, {
      ...{ name, file: 'bench/programs/client.ts', variables },
    });
    await client.ask('open', { seed: seeds[name], origin: api.origin });
    return { seed: seeds[name], client };
  };
  return {
    ...{ databaseUrl, worker },
    busy: await startTenant('busy'),
    quiet: await startTenant('quiet'),
    processes: [
      { name: 'worker', pid: worker.process.pid },
      { name: 'temporal', pid: temporal.pid },
      { name: 'postgres', pid: postgres.pid, withChildren: true },
      { name: 'api', pid: api.process.pid },
    ],
  };
}
