import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readProcessorTimes, toUsedTimes, type ProcessorTimes } from '../measure/processor-time.ts';
import type { WaitingStage } from './waiting-stage.ts';

/** The bytes of each table of Holdfast with its indexes, and of Temporal's files. */
export interface StoredSizes {
  tables: Record<string, number>;
  temporal: number;
}

const readTables = `
SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** Reads how much is stored now. */
export async function readSizes({ temporalFiles }: WaitingStage, database: pg.Client): Promise<StoredSizes> {
  const { rows } = await database.query<{ name: string; bytes: number }>(readTables);
  return {
    tables: Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])),
    temporal: temporalFiles.reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
  };
}

/** Returns what was stored between two readings, for each of a number of turns. */
export function toSizesEach(before: StoredSizes, after: StoredSizes, turns: number): StoredSizes {
  const each = Object.entries(after.tables).map(([name, bytes]) => [
    name,
    (bytes - (before.tables[name] ?? 0)) / turns,
  ]);
  return {
    tables: Object.fromEntries(each) as Record<string, number>,
    temporal: (after.temporal - before.temporal) / turns,
  };
}

/** The processor seconds that each program uses in `durationMs` without any request. */
export async function measureIdle({ processes }: WaitingStage, durationMs: number): Promise<ProcessorTimes> {
  const before = readProcessorTimes(processes);
  await sleep(durationMs);
  return toUsedTimes(before, readProcessorTimes(processes));
}
