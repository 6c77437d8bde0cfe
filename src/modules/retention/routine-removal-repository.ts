import type { Knex } from 'knex';

/** Routines, as `r`, that were deleted so many days ago. A run reads its routine as long as it is kept. */
export function withOldRoutines(trx: Knex, days: number): Knex.QueryBuilder {
  return trx('routines AS r')
    .whereRaw('r.deleted_at < now() - make_interval(days => ?)', [days])
    .whereNotExists(trx('routine_runs').whereRaw('routine_id = r.id'));
}

/** Removes routines of one workspace. */
export function createRoutineRemovalRepository(trx: Knex) {
  return {
    /** Removes routines without runs that were deleted so many days ago, with all their versions. Returns how many. */
    removeOldRoutines: async (days: number, limit: number): Promise<number> => {
      // The lock keeps them from being restored meanwhile.
      const ids = await withOldRoutines(trx, days)
        .orderBy('r.id')
        .limit(limit)
        .forUpdate('r')
        .pluck<string[]>('r.id');
      await trx('routine_versions').whereIn('routine_id', ids).delete();
      return trx('routines').whereIn('id', ids).delete();
    },
  };
}
