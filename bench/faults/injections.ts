import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Called at the moment of each fault. */
export type Note = () => void;

/** Runs something several times, one after the other. */
export async function times(count: number, run: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index++) await run(index);
}

/** One of several, in turns. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** Kills one of the workers, and starts it again after a while. */
export async function killWorker({ workers }: World, note: Note, index: number): Promise<void> {
  await sleep(4_000);
  const worker = pick(workers, index);
  note();
  await worker.kill();
  // The other worker has the machine to itself until the turns have settled: a start takes both cores for seconds.
  await sleep(9_000);
  await worker.start();
}

/** Kills all workers for a time, in milliseconds. */
export async function killWorkers({ workers }: World, note: Note, awayMs: number): Promise<void> {
  await sleep(5_000);
  note();
  await Promise.all(workers.map((worker) => worker.kill()));
  await sleep(awayMs);
  await Promise.all(workers.map((worker) => worker.start()));
}

/** Asks one of the workers to stop, and starts it again when it has ended. */
export async function stopWorker({ workers }: World, note: Note, index: number): Promise<void> {
  await sleep(8_000);
  const worker = pick(workers, index);
  note();
  await worker.kill('SIGTERM');
  await sleep(5_000);
  await worker.start();
}

/** Freezes one of the workers (SIGSTOP) for a time, in milliseconds. */
export async function freezeWorker({ workers }: World, note: Note, frozen: Freeze): Promise<void> {
  await sleep(8_000);
  const worker = pick(workers, frozen.index);
  note();
  worker.pause();
  await sleep(frozen.ms);
  worker.resume();
}

interface Freeze {
  /** Chooses the worker. */
  index: number;
  ms: number;
}

/** Kills the API, and starts it again. */
export async function killApi({ api }: World, note: Note): Promise<void> {
  await sleep(4_000);
  note();
  await api.kill();
  await api.start();
}

/** Kills Temporal for 5 s. */
export async function killTemporal({ temporal }: World, note: Note): Promise<void> {
  await sleep(6_000);
  note();
  await temporal.kill();
  await sleep(5_000);
  await temporal.start();
  await sleep(6_000);
}

/** Delays all bytes between the programs and Temporal, in each direction, in milliseconds. Open connections are closed. */
export async function delayTemporal({ temporalLink }: World, delayMs: number): Promise<void> {
  temporalLink.delay(delayMs);
  await temporalLink.cut();
  await temporalLink.mend();
}

/** Closes all connections to Temporal and refuses new ones for 20 s. */
export async function cutTemporal({ temporalLink }: World, note: Note): Promise<void> {
  await sleep(6_000);
  note();
  await temporalLink.cut();
  await sleep(20_000);
  await temporalLink.mend();
  await sleep(8_000);
}

/** Keeps all bytes between the programs and Temporal for 20 s. */
export async function holdTemporal({ temporalLink }: World, note: Note): Promise<void> {
  await sleep(6_000);
  note();
  temporalLink.hold();
  await sleep(20_000);
  temporalLink.release();
  await sleep(8_000);
}

/** Kills all sessions of Postgres; the server keeps running. */
export async function killSessions({ postgres }: World, note: Note): Promise<void> {
  await sleep(5_000);
  note();
  postgres.killChildren(/postgres: .* holdfast /);
}

/** Stops Postgres immediately, for 8 s. */
export async function stopPostgres({ postgres }: World, note: Note): Promise<void> {
  await sleep(5_000);
  note();
  await postgres.kill('SIGQUIT');
  await sleep(8_000);
  await postgres.start();
}
