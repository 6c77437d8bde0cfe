import type { Database } from '../../../src/platform/database/connect-database.ts';
import { readProcessorTimes, type TimedProcess } from '../../measure/processor-time.ts';
import type { Seed } from '../../programs/contract.ts';

/** A Postgres on which nothing else runs. */
export interface LimitLab {
  databaseUrl: string;
  seed: Seed;
  database: Database;
  postgres: TimedProcess;
  /** How long each rate is measured, in milliseconds. */
  durationMs: number;
}

/** The result of one experiment as a table. */
export interface LimitTable {
  title: string;
  header: string[];
  lines: string[][];
}

/** The rate of something that many do at the same time. */
export interface Rate {
  perSecond: number;
  /** Processor milliseconds of Postgres for each. */
  postgresMs: number;
}

interface RateOrder {
  /** How many run at the same time. */
  sessions: number;
  run: (session: number) => Promise<unknown>;
}

/** Repeats `run` in a number of loops for the duration of the lab. */
export async function measureRate(lab: LimitLab, { sessions, run }: RateOrder): Promise<Rate> {
  const before = readSeconds(lab.postgres);
  const startedAt = performance.now();
  let count = 0;
  const repeat = async (session: number) => {
    while (performance.now() - startedAt < lab.durationMs) {
      await run(session);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: sessions }, (_, session) => repeat(session)));
  const seconds = (performance.now() - startedAt) / 1000;
  const used = readSeconds(lab.postgres) - before;
  return { perSecond: count / seconds, postgresMs: (used * 1000) / count };
}

/** Reads the processor time of Postgres with all its sessions, in seconds. */
export function readSeconds(postgres: TimedProcess): number {
  return readProcessorTimes([postgres])[postgres.name] ?? NaN;
}
