import type { Knex } from 'knex';

/** Deleted skills of all workspaces, for the sweep that removes them; needs the system database. */
export function createSkillRemovalRepository(system: Knex) {
  return {
    /** Lists skills that were deleted so many days ago, oldest first. */
    listRemovable: (days: number, limit: number): Promise<{ id: string }[]> =>
      system('skills')
        .whereRaw('deleted_at < now() - make_interval(days => ?)', [days])
        .orderBy('deleted_at')
        .limit(limit)
        .select<{ id: string }[]>('id'),

    /** Removes a version of a skill with its files, and in the end the skill. Returns false once it is gone. */
    removePart: async (id: string): Promise<boolean> => {
      const oldest = system('skill_versions').where({ skill_id: id }).min('version');
      if ((await system('skill_versions').where({ skill_id: id, version: oldest }).delete()) > 0) return true;
      return (await system('skills').where({ id }).whereNotNull('deleted_at').delete()) > 0;
    },
  };
}
