import type { Knex } from 'knex';
import type { ScheduleRun } from './schedule.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { toScheduleRun, type ScheduleRunRow } from './schedule-rows.ts';

/** A time for which a schedule runs. */
export interface ScheduledTime {
  scheduleId: string;
  /** ISO 8601. */
  scheduledAt: string;
}

/** The work that a run has started. */
type StartedWork = Partial<Pick<ScheduleRun, 'conversationId' | 'turnId' | 'replayId' | 'routineRunId'>>;

/** How a run has ended. */
export interface RunEnd {
  status: 'completed' | 'failed';
  outcome: string | null;
  error: ScheduleRun['error'];
}

/** The runs of the schedules of one workspace. */
export function createScheduleRunRepository(trx: Knex) {
  return {
    /** Begins the run of a time; a run that was begun before stays as it is. */
    beginRun: async ({ scheduleId, scheduledAt }: ScheduledTime): Promise<ScheduleRun> => {
      const key = { schedule_id: scheduleId, scheduled_at: scheduledAt };
      await trx('schedule_runs')
        .insert({ id: newId(), ...key })
        .onConflict(['schedule_id', 'scheduled_at'])
        .ignore();
      const row = await trx<ScheduleRunRow>('schedule_runs').where(key).first();
      if (!row) throw new Error('an inserted run did not come back');
      return toScheduleRun(row);
    },

    findRun: async ({ scheduleId, scheduledAt }: ScheduledTime): Promise<ScheduleRun | null> => {
      const key = { schedule_id: scheduleId, scheduled_at: scheduledAt };
      const row = await trx<ScheduleRunRow>('schedule_runs').where(key).first();
      return row ? toScheduleRun(row) : null;
    },

    /** Notes what a run has started. */
    noteStarted: async (id: string, started: StartedWork): Promise<void> => {
      const { conversationId, turnId, replayId, routineRunId } = started;
      await trx('schedule_runs')
        .where({ id })
        .update({
          conversation_id: conversationId ?? null,
          turn_id: turnId ?? null,
          replay_id: replayId ?? null,
          routine_run_id: routineRunId ?? null,
        });
    },

    /** Stores how a run has ended; one that has ended before stays as it is. */
    endRun: async (id: string, { status, outcome, error }: RunEnd): Promise<void> => {
      await trx('schedule_runs')
        .where({ id, status: 'running' })
        .update({ status, outcome, error: error && toStorableJson(error), ended_at: trx.fn.now() });
    },

    /** The runs of a schedule, newest first. */
    listRuns: async (scheduleId: string, { cursor, limit }: PageRequest): Promise<Page<ScheduleRun>> => {
      const query = trx<ScheduleRunRow>('schedule_runs')
        .where({ schedule_id: scheduleId })
        .orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toScheduleRun);
    },
  };
}
