import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './accepted-turns.ts';
import { startApprovingLoad } from './approving-load.ts';
import { startBacklogLoad } from './backlog-load.ts';
import { startFallbackLoad } from './fallback-load.ts';
import type { FullDisk } from './full-disk.ts';
import {
  cutTemporal,
  delayTemporal,
  holdTemporal,
  killApi,
  killSessions,
  killTemporal,
  killWorker,
  killWorkers,
  pick,
  stopPostgres,
  times,
  type Note,
} from './injections.ts';
import { startBusyLoad } from './busy-load.ts';
import { startRoutineLoad } from './routine-load.ts';
import { startSteeringLoad } from './steering-load.ts';
import { startSwarmLoad } from './swarm-load.ts';
import type { World } from './world.ts';

/** Faults that are injected into a world while turns run. */
export interface Scenario {
  name: string;
  /** The faults in words, for the report. */
  what: string;
  /** `note` is called at the moment of each fault. */
  inject: (world: World, note: Note) => Promise<void>;
  /** The turns that run meanwhile. @default turns of agents without approvals, each in its own conversation */
  startLoad?: (world: World, name: string) => Load;
  /** Keeps Postgres on a separate small disk. */
  needsSmallDisk?: true;
  /** The longest p99 from a fault to the settling of the turns that it hit, in milliseconds. */
  mostMs?: number;
  /** Whether every turn has to complete, however long it waits. */
  allComplete?: true;
}

/** All scenarios, in the order in which they run. */
export const scenarios: Scenario[] = [
  {
    name: 'worker-killed',
    what: 'one of two workers is killed, 8 times',
    mostMs: 8_000,
    inject: (world, note) => times(8, (index) => killWorker(world, note, index)),
  },
  {
    name: 'worker-stopped',
    what: 'one of two workers is stopped (SIGSTOP) for 12 s, 3 times',
    inject: (world, note) =>
      times(3, async (index) => {
        await sleep(4_000);
        const worker = pick(world.workers, index);
        note();
        worker.pause();
        await sleep(12_000);
        worker.resume();
      }),
  },
  {
    name: 'workers-away',
    what: 'both workers are killed for 60 s, twice',
    allComplete: true,
    inject: (world, note) => times(2, () => killWorkers(world, note, 60_000)),
  },
  {
    name: 'api-killed',
    what: 'the API is killed, 5 times',
    inject: (world, note) => times(5, () => killApi(world, note)),
  },
  {
    name: 'temporal-killed',
    what: 'Temporal is killed for 5 s, 3 times',
    inject: (world, note) => times(3, () => killTemporal(world, note)),
  },
  {
    name: 'postgres-backends-killed',
    what: 'all sessions of Postgres are killed (SIGKILL), 4 times',
    inject: (world, note) => times(4, () => killSessions(world, note)),
  },
  {
    name: 'postgres-stopped',
    what: 'Postgres is stopped at once (SIGQUIT) for 8 s, 3 times',
    inject: (world, note) => times(3, () => stopPostgres(world, note)),
  },
  {
    name: 'disk-full',
    what: 'the disk of Postgres is full for 10 s, twice',
    needsSmallDisk: true,
    inject: () => Promise.reject(new Error('the scenario needs a small disk')),
  },
  {
    name: 'tools-fail',
    what: 'a quarter of all tool calls take effect and lose their answer',
    inject: async (world, note) => {
      note();
      world.shop.setLostAnswers(0.25);
      await sleep(25_000);
      world.shop.setLostAnswers(0);
    },
  },
  {
    name: 'model-fails',
    what: 'a quarter of all model answers break off',
    inject: async (world, note) => {
      note();
      world.model.setBrokenAnswers(0.25);
      await sleep(25_000);
      world.model.setBrokenAnswers(0);
    },
  },
  {
    name: 'fallbacks',
    what: 'the first of two models fails in every way while a worker is killed, twice',
    startLoad: startFallbackLoad,
    inject: async (world, note) => {
      await sleep(20_000);
      await times(2, (index) => killWorker(world, note, index));
    },
  },
  {
    name: 'approvals',
    what: 'calls wait for people while workers, the API, Temporal and all sessions of Postgres are killed, 8 times',
    startLoad: startApprovingLoad,
    inject: async (world, note) => {
      await times(2, (index) => killWorker(world, note, index));
      await killWorkers(world, note, 8_000);
      await times(2, () => killApi(world, note));
      await killTemporal(world, note);
      await times(2, () => killSessions(world, note));
    },
  },
  {
    name: 'routines',
    what: 'routines run while workers, Temporal, all sessions of Postgres and Postgres are killed, 8 times',
    startLoad: startRoutineLoad,
    allComplete: true,
    inject: async (world, note) => {
      await times(3, (index) => killWorker(world, note, index));
      await killWorkers(world, note, 8_000);
      await killTemporal(world, note);
      await times(2, () => killSessions(world, note));
      await stopPostgres(world, note);
    },
  },
  {
    name: 'swarms',
    what: 'swarms work while workers, the API, Temporal, all sessions of Postgres and Postgres are killed, 8 times',
    startLoad: startSwarmLoad,
    allComplete: true,
    inject: async (world, note) => {
      await times(2, (index) => killWorker(world, note, index));
      await killWorkers(world, note, 8_000);
      await killApi(world, note);
      await killTemporal(world, note);
      await times(2, () => killSessions(world, note));
      await stopPostgres(world, note);
    },
  },
  {
    name: 'steering',
    what: '1,000 messages are sent to running turns while a worker or the API is killed, 8 times',
    startLoad: startSteeringLoad,
    inject: (world, note) =>
      times(4, async (index) => {
        await killWorker(world, note, index);
        await killApi(world, note);
      }),
  },
  {
    name: 'temporal-slow',
    what: 'messages of all kinds, cancels and decisions while Temporal answers after 2 s',
    startLoad: (world, name) => endDelay(world, startBusyLoad(world, name)),
    inject: async (world, note) => {
      note();
      await delayTemporal(world, 1_000);
      await sleep(60_000);
    },
  },
  {
    name: 'temporal-backlog',
    what: '300 turns are accepted while Temporal is cut off, which then answers after 0.6 s',
    allComplete: true,
    startLoad: (world, name) => endDelay(world, startBacklogLoad(world, name)),
    inject: async (world, note) => {
      await world.temporalLink.cut();
      note();
      await sleep(20_000);
      world.temporalLink.delay(300);
      await world.temporalLink.mend();
    },
  },
  {
    name: 'temporal-dead',
    what: 'messages of all kinds, cancels and decisions while Temporal is cut off for 20 s, twice, and silent for 20 s',
    startLoad: startBusyLoad,
    inject: async (world, note) => {
      await times(2, () => cutTemporal(world, note));
      await holdTemporal(world, note);
    },
  },
];

/** Ends the delay of Temporal when the turns of a load have settled. */
function endDelay(world: World, load: Load): Load {
  const stop = async () => {
    await load.stop();
    await delayTemporal(world, 0);
  };
  return { ...load, stop };
}

/** Fills the disk of Postgres and empties it again. A Postgres that ended over it is started again, as a supervisor does. */
export async function injectFullDisk(world: World, disk: FullDisk, note: Note): Promise<void> {
  await times(2, async () => {
    await sleep(5_000);
    note();
    disk.fill();
    await sleep(10_000);
    disk.empty();
    await sleep(1_000);
    await world.postgres.start();
  });
}
