import type { Logger } from 'pino';
import type { Database } from '../db/connect-database.ts';
import type { Backfill, Schedule } from '../domain/schedule.ts';

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
  /** The times of the next runs, at most ten. */
  listNextRuns: (id: string) => Promise<string[]>;
}

/** Everything that the use cases of schedules need from outside. */
export interface ScheduleDependencies {
  database: Pick<Database, 'inWorkspace'>;
  schedules: ScheduleEngine;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
