import type { Schedule, ScheduleRun } from './schedule.ts';
import { toStoredWorkFields, type StoredWorkRow } from '../../platform/work/stored-work.ts';

/** A row of `schedules`. */
export interface ScheduleRow extends StoredWorkRow {
  id: string;
  workspace_id: string;
  name: string;
  times: Schedule['times'];
  time_zone: string;
  action: Schedule['action'];
  overlap: Schedule['overlap'];
  catch_up_ms: string | number;
  paused: boolean;
  revision: number;
  copied_revision: number;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A row of `schedule_runs`. */
export interface ScheduleRunRow {
  id: string;
  schedule_id: string;
  scheduled_at: Date;
  status: ScheduleRun['status'];
  conversation_id: string | null;
  turn_id: string | null;
  replay_id: string | null;
  routine_run_id: string | null;
  outcome: string | null;
  error: ScheduleRun['error'];
  started_at: Date;
  ended_at: Date | null;
}

/** Maps a row to a schedule. */
export function toSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    name: row.name,
    times: row.times,
    timeZone: row.time_zone,
    action: row.action,
    overlap: row.overlap,
    catchUpMs: Number(row.catch_up_ms),
    paused: row.paused,
    ...toStoredWorkFields(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Maps a row to a run. */
export function toScheduleRun(row: ScheduleRunRow): ScheduleRun {
  return {
    id: row.id,
    scheduledAt: row.scheduled_at.toISOString(),
    status: row.status,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    replayId: row.replay_id,
    routineRunId: row.routine_run_id,
    outcome: row.outcome,
    error: row.error,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
