import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { Backfill, Schedule } from './schedule.ts';

/** A time span, in ISO 8601. */
export type TimeSpan = Pick<Backfill, 'from' | 'to'>;

/** The copies of schedules in Temporal. */
export interface ScheduleEngine {
  /**
   * Creates or replaces the copy of a schedule.
   * @throws HoldfastError `INVALID_INPUT` for times that Temporal refuses
   */
  saveSchedule: (workspaceId: string, schedule: Schedule) => Promise<void>;
  /** Whether Temporal has a copy. */
  hasSchedule: (id: string) => Promise<boolean>;
  /** Deletes the copy; does nothing when there is none. */
  deleteSchedule: (id: string) => Promise<void>;
  /** Starts a run now, under the overlap policy of the schedule. Returns false when Temporal has no copy. */
  runSchedule: (schedule: Schedule) => Promise<boolean>;
  /** Starts the runs of a time span that is over. Returns false when Temporal has no copy. */
  backfillSchedule: (id: string, backfill: Backfill) => Promise<boolean>;
  /**
   * Counts the times of a time span, as far as one more than `most`. Returns null when Temporal has no copy.
   */
  countTimes: (id: string, span: TimeSpan & { most: number }) => Promise<number | null>;
  /** The times of the next runs, at most ten. */
  listNextRuns: (id: string) => Promise<string[]>;
}

/** Everything that the use cases of schedules need from outside. */
export interface ScheduleDependencies {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
  schedules: ScheduleEngine;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
