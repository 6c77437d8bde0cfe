import { setTimeout as sleep } from 'node:timers/promises';
import type { FullDisk } from './full-disk.ts';
import type { World } from './world.ts';

/** Faults that are injected into a world while turns run. */
export interface Scenario {
  name: string;
  /** The faults in words, for the report. */
  what: string;
  /** `note` is called at the moment of each fault. */
  inject: (world: World, note: () => void) => Promise<void>;
  /** Keeps Postgres on a small disk of its own. */
  needsSmallDisk?: true;
  /** The longest p99 from a fault to the settling of the turns that it hit, in milliseconds. */
  mostMs?: number;
  /** Whether every turn has to complete, however long it waits. */
  allComplete?: true;
}

const times = async (count: number, run: (index: number) => Promise<void>) => {
  for (let index = 0; index < count; index++) await run(index);
};

/** All scenarios, in the order in which they run. */
export const scenarios: Scenario[] = [
  {
    name: 'worker-killed',
    what: 'one of two workers is killed, 8 times',
    mostMs: 8_000,
    inject: (world, note) =>
      times(8, async (index) => {
        await sleep(4_000);
        const worker = pick(world.workers, index);
        note();
        await worker.kill();
        // The other worker has the machine to itself until the turns have settled: a start takes both cores for seconds.
        await sleep(9_000);
        await worker.start();
      }),
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
    inject: (world, note) =>
      times(2, async () => {
        await sleep(5_000);
        note();
        await Promise.all(world.workers.map((worker) => worker.kill()));
        await sleep(60_000);
        await Promise.all(world.workers.map((worker) => worker.start()));
      }),
  },
  {
    name: 'api-killed',
    what: 'the API is killed, 5 times',
    inject: (world, note) =>
      times(5, async () => {
        await sleep(4_000);
        note();
        await world.api.kill();
        await world.api.start();
      }),
  },
  {
    name: 'temporal-killed',
    what: 'Temporal is killed for 5 s, 3 times',
    inject: (world, note) =>
      times(3, async () => {
        await sleep(6_000);
        note();
        await world.temporal.kill();
        await sleep(5_000);
        await world.temporal.start();
        await sleep(6_000);
      }),
  },
  {
    name: 'postgres-backends-killed',
    what: 'all sessions of Postgres are killed (SIGKILL), 4 times',
    inject: (world, note) =>
      times(4, async () => {
        await sleep(5_000);
        note();
        world.postgres.killChildren(/postgres: .* holdfast /);
      }),
  },
  {
    name: 'postgres-stopped',
    what: 'Postgres is stopped at once (SIGQUIT) for 8 s, 3 times',
    inject: (world, note) =>
      times(3, async () => {
        await sleep(5_000);
        note();
        await world.postgres.kill('SIGQUIT');
        await sleep(8_000);
        await world.postgres.start();
      }),
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
];

/** Fills the disk of Postgres and empties it again. A Postgres that ended over it is started again, as a supervisor does. */
export async function injectFullDisk(world: World, disk: FullDisk, note: () => void): Promise<void> {
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

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
