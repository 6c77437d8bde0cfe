import type { Knex } from 'knex';
import { isAfter } from './change-conditions.ts';

/** How long notes are kept, in hours, and how many one transaction looks at to remove them. */
const keptHours = 24;
const prunedAtOnce = 5_000;

/** The notes of all workspaces; needs the system database. */
export function createChangeWatchRepository(system: Knex) {
  return {
    /** Lists those of some workspaces that have notes after a snapshot. Returns the snapshot after which to look next. */
    listChanged: async (
      after: string | null,
      workspaceIds: string[],
    ): Promise<{ snapshot: string; workspaceIds: string[] }> => {
      const { rows } = await system.raw<{ rows: [{ snapshot: string; workspaceIds: string[] }] }>(
        `SELECT pg_current_snapshot()::text AS snapshot, ARRAY(
           SELECT DISTINCT workspace_id::text FROM changes
           WHERE ${isAfter('CAST(:after AS pg_snapshot)')} AND workspace_id = ANY (CAST(:workspaceIds AS uuid[]))
         ) AS "workspaceIds"`,
        { after, workspaceIds },
      );
      return rows[0];
    },

    /**
     * Removes notes that are older than a day, in transactions of limited size, and notes which: cursors before them have no
     * complete log. Notes are looked at in the order of their transactions, which nearly is that of their times.
     */
    removeOld: async (isStopped: () => boolean): Promise<number> => {
      let removed = 0;
      for (let batch = prunedAtOnce; batch === prunedAtOnce && !isStopped(); removed += batch) {
        const { rowCount } = await system.raw<{ rowCount: number }>(removeOld, { keptHours, prunedAtOnce });
        batch = rowCount;
      }
      return removed;
    },
  };
}

export type ChangeWatchRepository = ReturnType<typeof createChangeWatchRepository>;

const removeOld = `
WITH oldest AS (
  SELECT xid, id, created_at FROM changes ORDER BY xid, id LIMIT :prunedAtOnce
), removed AS (
  DELETE FROM changes c USING oldest o
  WHERE c.xid = o.xid AND c.id = o.id AND o.created_at < now() - make_interval(hours => :keptHours) RETURNING c.xid
), noted AS (
  UPDATE change_log SET pruned = greatest(pruned, newest.xid)
  FROM (SELECT xid FROM removed ORDER BY xid DESC LIMIT 1) AS newest
)
SELECT FROM removed`;
