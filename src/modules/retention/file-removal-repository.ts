import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { Removable } from './removal-queue.ts';

/** An object of a bucket whose file was deleted. */
export interface RemovedObject {
  key: string;
  /** False for an upload that broke off. */
  isWhole: boolean;
}

/** The longest pause between two tries to remove an object, in seconds. */
const longestPause = 3600;

/** Finds unfinished and unused files, and the objects of deleted files, in all workspaces; needs the system database. */
export function createFileRemovalQueue(system: Knex) {
  return {
    /** Files whose upload began before a time and has not ended: their process was killed. */
    listUnfinished: (before: Date, limit: number): Promise<Removable[]> =>
      system('files')
        .where({ is_whole: false })
        .where('created_at', '<', before)
        .limit(limit)
        .select('id', { workspaceId: 'workspace_id' }),

    /**
     * Files that were uploaded before a time and that no message names, those after `after`: the files before it are not
     * read again.
     */
    listUnused: (
      before: Date,
      { after, limit }: { after: Removable | undefined; limit: number },
    ): Promise<Removable[]> => {
      const query = system('files')
        .whereNotNull('created_by')
        .where('created_at', '<', before)
        .whereNotExists(
          system('file_uses').whereRaw('file_id = files.id AND workspace_id = files.workspace_id'),
        );
      if (after) void query.whereRaw('(workspace_id, id) > (?, ?)', [after.workspaceId, after.id]);
      return query.orderBy(['workspace_id', 'id']).limit(limit).select('id', { workspaceId: 'workspace_id' });
    },

    /** Takes objects whose time has come, and puts off their next try, so that other processes skip them. */
    takeObjects: async (limit: number): Promise<RemovedObject[]> => {
      const due = system('removed_objects')
        .where('next_try_at', '<=', system.fn.now())
        .orderBy('next_try_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .select('object_key');
      return system('removed_objects')
        .whereIn('object_key', due)
        .update({
          tries: system.raw('tries + 1'),
          next_try_at: system.raw('now() + make_interval(secs => least(?, 60 * 2 ^ least(tries, 10)))', [
            longestPause,
          ]),
        })
        .returning<RemovedObject[]>(system.raw('object_key AS key, is_whole AS "isWhole"'));
    },

    /** Notes that the bucket has removed an object. */
    finishObject: async (key: string): Promise<void> => {
      await system('removed_objects').where({ object_key: key }).delete();
    },
  };
}

/** Removes files of one workspace. */
export function createFileRemovalRepository(trx: Knex) {
  return {
    /** Removes a file that no message names. Does nothing when a message has begun to use it. */
    removeUnused: async (id: string): Promise<void> => {
      const free = trx('files')
        .where({ id })
        .whereNotExists(trx('file_uses').whereRaw('file_id = files.id'))
        .forUpdate()
        .skipLocked()
        .select('id');
      if ((await trx('files').whereIn('id', free).delete()) === 0) return;
      await createAuditLog(trx).record({
        type: 'file.deleted',
        subjectId: id,
        payload: { reason: 'unused' },
      });
    },
  };
}
