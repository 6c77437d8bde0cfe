import type { Knex } from 'knex';
import type { Schedule } from './schedule.ts';
import type { ScheduleRef } from './schedule-contract.ts';
import { createRestMark, isDue, leased } from '../../platform/work/sweep-lease.ts';
import { toSchedule, type ScheduleRow } from './schedule-rows.ts';

/** How long the runs of a schedule are listed, in days. */
const keptDays = 90;

/** A schedule whose copy in Temporal is to be checked. */
export interface ScheduleToCheck {
  workspaceId: string;
  schedule: Schedule;
  isDeleted: boolean;
  /** False when Temporal may have an older revision. */
  isCopied: boolean;
}

/** Schedules of all workspaces, for the sweeper; needs the system database. */
export function createScheduleSweepRepository(system: Knex) {
  return {
    /** Takes schedules that were not checked for a while, under a lease; first those that were never checked. */
    takeUnchecked: async ({
      graceMs,
      limit,
    }: {
      graceMs: number;
      limit: number;
    }): Promise<ScheduleToCheck[]> => {
      const { rows } = await system.raw<{ rows: ScheduleRow[] }>(
        `UPDATE schedules SET checked_at = ${leased(graceMs)} WHERE id IN (
           SELECT id FROM schedules
           WHERE ${isDue('checked_at', graceMs)}
           ORDER BY checked_at NULLS FIRST LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING *`,
        { limit },
      );
      return rows.map((row) => ({
        workspaceId: row.workspace_id,
        schedule: toSchedule(row),
        isDeleted: row.deleted_at !== null,
        isCopied: row.copied_revision === row.revision,
      }));
    },

    /** Notes that schedules were checked: none of them is taken again for its grace. */
    markChecked: createRestMark(system, 'schedules', 'checked_at'),

    /** Removes runs that are older than the list is kept for. */
    removeOldRuns: async (limit: number): Promise<void> => {
      const old = system('schedule_runs')
        .whereRaw('started_at < now() - make_interval(days => ?)', [keptDays])
        .orderBy('started_at')
        .limit(limit)
        .select('id');
      await system('schedule_runs').whereIn('id', old).delete();
    },

    /** Returns whether a schedule is one of another workspace. */
    belongsToOther: async ({ workspaceId, scheduleId }: ScheduleRef): Promise<boolean> => {
      const row = await system<ScheduleRow>('schedules')
        .where({ id: scheduleId })
        .whereNot({ workspace_id: workspaceId })
        .first();
      return row !== undefined;
    },

    /** Removes the row of a deleted schedule that Temporal does not have any more. */
    removeSchedule: async (id: string): Promise<void> => {
      await system('schedules').where({ id }).whereNotNull('deleted_at').delete();
    },
  };
}

export type ScheduleSweepRepository = ReturnType<typeof createScheduleSweepRepository>;
