import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGround } from '../../engines/start-ground.ts';
import { seedDatabase } from '../../holdfast/seed.ts';
import { readProcessorTimes, toUsedTimes, type TimedProcess } from '../../measure/processor-time.ts';
import type { Place } from '../../place.ts';
import type { WorkerRequests } from '../../programs/contract.ts';
import type { Program } from '../../programs/program.ts';
import { startInPlace } from '../../programs/start-in-place.ts';
import { createJournalTable } from '../../raw/journal.ts';
import { rows, type BenchRow } from '../../rows.ts';
import { postgresSettings } from '../scale-stage.ts';
import type { LimitTable } from './experiment.ts';

const shardCounts = [4, 64, 512];
const inFlight = 32;
const floors = rows.filter(({ kind, through }) => kind === 'raw' && through === 'worker');

interface ShardLab {
  worker: Program<WorkerRequests>;
  processes: TimedProcess[];
}

/** Runs workflows without Holdfast on Temporal servers with few and many history shards; null when there is none. */
export async function measureShards(place: Place, durationMs: number): Promise<LimitTable | null> {
  const lines: string[][] = [];
  for (const historyShards of shardCounts) {
    place.say(`  ${historyShards} history shards`);
    await using stack = new AsyncDisposableStack();
    const lab = await startShardLab({ ...place, stack }, historyShards);
    if (lab === null) return null;
    for (const row of floors) await lab.worker.ask('runBatch', { row, inFlight, turns: 100 });
    lines.push([`${historyShards} shards, idle`, '-', ...(await measureIdle(lab, durationMs))]);
    for (const row of floors) {
      lines.push([`${historyShards} shards, ${row.name}`, ...(await measureFloor(lab, row, durationMs))]);
    }
  }
  return {
    title: `History shards of Temporal: workflows without Holdfast, ${inFlight} in flight`,
    header: ['', 'workflows/s', 'Temporal CPU-ms', 'Postgres CPU-ms'],
    lines,
  };
}

async function startShardLab(place: Place, historyShards: number): Promise<ShardLab | null> {
  const folder = path.join(place.folder, `shards-${historyShards}`);
  mkdirSync(folder);
  const own = { ...place, folder };
  const ground = await startGround(own, { engine: 'cluster', settings: postgresSettings, historyShards });
  if (ground === null) return null;
  const { databaseUrl, postgres, temporal, variables } = ground;
  const seed = await seedDatabase(databaseUrl);
  await createJournalTable(databaseUrl);
  const worker = await startInPlace<WorkerRequests>(own, {
    ...{ name: 'raw-worker', file: 'bench/programs/raw-worker.ts', variables },
  });
  await worker.ask('open', { seed, origin: '' });
  return {
    worker,
    processes: [
      { name: 'temporal', pid: temporal.pid },
      { name: 'postgres', pid: postgres.pid, withChildren: true },
    ],
  };
}

/** Returns the processor milliseconds of Temporal and Postgres in each second without work. */
async function measureIdle({ processes }: ShardLab, durationMs: number): Promise<string[]> {
  const before = readProcessorTimes(processes);
  await sleep(durationMs);
  const used = toUsedTimes(before, readProcessorTimes(processes));
  return toCells(used, durationMs / 1000).map((cell) => `${cell} a second`);
}

async function measureFloor(lab: ShardLab, row: BenchRow, durationMs: number): Promise<string[]> {
  const before = readProcessorTimes(lab.processes);
  const { turns, turnsPerSecond } = await lab.worker.ask('runBatch', { row, inFlight, durationMs });
  const used = toUsedTimes(before, readProcessorTimes(lab.processes));
  return [turnsPerSecond.toFixed(1), ...toCells(used, turns)];
}

function toCells(seconds: Record<string, number>, parts: number): string[] {
  return ['temporal', 'postgres'].map((name) => (((seconds[name] ?? NaN) * 1000) / parts).toFixed(1));
}
