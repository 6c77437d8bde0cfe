import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './accepted-turns.ts';
import { startApprovingLoad } from './approving-load.ts';
import { startBacklogLoad } from './backlog-load.ts';
import { startFallbackLoad } from './fallback-load.ts';
import type { FullDisk } from './full-disk.ts';
import {
  cutTemporal,
  delayTemporal,
  freezeWorker,
  holdTemporal,
  killApi,
  killSessions,
  killTemporal,
  killWorker,
  killWorkers,
  pick,
  stopPostgres,
  stopWorker,
  times,
  type Note,
} from './injections.ts';
import { startBudgetLoad } from './budget-load.ts';
import { startBusyLoad } from './busy-load.ts';
import { startLoad } from './load.ts';
import { startReadingLoad } from './reading-load.ts';
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
  /** Whether tools answer every call, so that each call with a key, and each that only reads, has to succeed. */
  toolsAnswer?: true;
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
    name: 'slow-tools-terminated',
    what: 'one of two workers is asked to stop (SIGTERM) while tools take up to 25 s, 4 times',
    startLoad: withSlowTools(startLoad),
    toolsAnswer: true,
    inject: (world, note) => times(4, (index) => stopWorker(world, note, index)),
  },
  {
    name: 'slow-tools-killed',
    what: 'one of two workers is killed while tools take up to 25 s, 4 times',
    startLoad: withSlowTools(startLoad),
    toolsAnswer: true,
    inject: (world, note) => times(4, (index) => killWorker(world, note, index)),
  },
  {
    name: 'slow-tools-frozen',
    what: 'one of two workers is frozen (SIGSTOP) for 4 to 40 s while tools take up to 25 s, 6 times',
    startLoad: withSlowTools(startLoad),
    toolsAnswer: true,
    inject: freezeAFew,
  },
  {
    name: 'streams-frozen',
    what: 'one of two workers is frozen (SIGSTOP) for 4 to 40 s while it streams, 6 times',
    startLoad: startReadingLoad,
    inject: freezeAFew,
  },
  {
    name: 'approvals-frozen',
    what: 'calls of tools of up to 25 s are approved while workers are stopped, killed and frozen, 5 times',
    startLoad: withSlowTools(startApprovingLoad),
    inject: async (world, note) => {
      await stopWorker(world, note, 0);
      await killWorker(world, note, 1);
      await freezeWorker(world, note, { index: 0, ms: 4_500 });
      await freezeWorker(world, note, { index: 1, ms: 7_000 });
      await freezeWorker(world, note, { index: 0, ms: 20_000 });
    },
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
    name: 'budgets',
    what: 'Postgres is stopped at once (SIGQUIT) for 8 s, 4 times, while calls are reserved under budgets',
    startLoad: startBudgetLoad,
    inject: (world, note) => times(4, () => stopPostgres(world, note)),
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

/** The longest time of a slow tool, in milliseconds. */
const longestToolMs = 25_000;

/** Freezes the workers by turns for times around those after which a turn is taken over, and for long ones, in milliseconds. */
function freezeAFew(world: World, note: Note): Promise<void> {
  const spans = [4_000, 4_500, 5_500, 7_000, 12_000, 40_000].values();
  return times(6, (index) => freezeWorker(world, note, { index, ms: spans.next().value ?? 0 }));
}

/** Lets the tools of a load take up to 25 s. */
function withSlowTools(start: NonNullable<Scenario['startLoad']>): NonNullable<Scenario['startLoad']> {
  return (world, name) => {
    world.shop.setLongestWork(longestToolMs);
    const load = start(world, name);
    const stop = async () => {
      await load.stop();
      world.shop.setLongestWork(null);
    };
    return { ...load, stop };
  };
}

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
