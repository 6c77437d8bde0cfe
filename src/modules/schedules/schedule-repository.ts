import type { Knex } from 'knex';
import { HoldfastError } from '../../domain/errors.ts';
import type { Schedule, ScheduleChange, ScheduleInput } from './schedule.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toMakerColumns, type Ownership } from '../../platform/work/stored-work.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { toSchedule, type ScheduleRow } from './schedule-rows.ts';

/** The schedules of one workspace. */
export function createScheduleRepository(trx: Knex) {
  const rows = () => trx<ScheduleRow>('schedules').whereNull('deleted_at');
  return {
    createSchedule: async (input: ScheduleInput, owned: Ownership): Promise<Schedule> => {
      const [row] = await trx('schedules')
        .insert({ id: newId(), ...toColumns(input), ...toMakerColumns(owned) })
        .returning<ScheduleRow[]>('*');
      if (!row) throw new Error('an inserted schedule did not come back');
      return toSchedule(row);
    },

    countSchedules: async (): Promise<number> => {
      const [counted] = await rows().count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    findSchedule: async (id: string): Promise<Schedule | null> => {
      const row = await rows().where({ id }).first();
      return row ? toSchedule(row) : null;
    },

    /** Locks the row until the transaction ends. @throws HoldfastError `NOT_FOUND` */
    getForUpdate: (id: string): Promise<Schedule> => getFirst(rows().where({ id }).forUpdate(), id),

    /** Reads a schedule that does not change until the transaction ends. */
    lockSchedule: async (id: string): Promise<Schedule | null> => {
      const row = await rows().where({ id }).forUpdate().first();
      return row ? toSchedule(row) : null;
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getSchedule: (id: string): Promise<Schedule> => getFirst(rows().where({ id }), id),

    /** Newest first. */
    listSchedules: async ({ cursor, limit }: PageRequest): Promise<Page<Schedule>> => {
      const query = rows().orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toSchedule);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    changeSchedule: async (id: string, change: ScheduleChange, owned: Ownership): Promise<Schedule> => {
      const columns = { ...toColumns(change), ...toMakerColumns(owned) };
      const [row] = await rows()
        .where({ id })
        .update({ ...columns, revision: trx.raw('revision + 1'), updated_at: trx.fn.now() })
        .returning<ScheduleRow[]>('*');
      if (!row) throw scheduleNotFound(id);
      return toSchedule(row);
    },

    /** Notes who has run a schedule, whose copy in Temporal stays as it is. */
    noteMakers: async (id: string, owned: Ownership): Promise<void> => {
      await rows().where({ id }).update(toMakerColumns(owned));
    },

    /** Marks a schedule as deleted; its row is removed once Temporal has no copy. @throws HoldfastError `NOT_FOUND` */
    deleteSchedule: async (id: string): Promise<void> => {
      const change = { deleted_at: trx.fn.now(), checked_at: null };
      const deleted = await trx('schedules').where({ id, deleted_at: null }).update(change);
      if (deleted === 0) throw scheduleNotFound(id);
    },

    /** Notes that Temporal has the present revision. Needs the transaction that has changed or locked the row. */
    markCopied: async (id: string): Promise<void> => {
      await trx('schedules')
        .where({ id })
        .update({ copied_revision: trx.ref('revision'), checked_at: trx.fn.now() });
    },
  };
}

async function getFirst(query: Knex.QueryBuilder<ScheduleRow, ScheduleRow[]>, id: string): Promise<Schedule> {
  const [row] = await query;
  if (!row) throw scheduleNotFound(id);
  return toSchedule(row);
}

function toColumns({ name, times, timeZone, action, overlap, catchUpMs, paused }: ScheduleChange): object {
  return {
    ...(name === undefined ? {} : { name }),
    ...(times === undefined ? {} : { times: toStorableJson(times) }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(action === undefined ? {} : { action: toStorableJson(action) }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(catchUpMs === undefined ? {} : { catch_up_ms: catchUpMs }),
    ...(paused === undefined ? {} : { paused }),
  };
}

/** The error for a schedule that is not in the workspace. */
export function scheduleNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no schedule ${id}.`);
}
