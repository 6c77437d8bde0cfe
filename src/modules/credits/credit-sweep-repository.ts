import type { Knex } from 'knex';
import { periodStart } from './credit-sql.ts';

/** Entries of all workspaces that no budget has counted, for the sweeper; needs the system database. */
export function createCreditSweepRepository(system: Knex) {
  return {
    /** Releases reservations of turns, replays and documents that have ended or are gone, and of searches without a turn. */
    releaseLeft: async (graceMs: number): Promise<void> => {
      await system.raw(
        `UPDATE credit_entries e SET status = 'released', credits = 0, counted = true
         WHERE NOT e.counted AND e.status = 'reserved' AND e.at < now() - make_interval(secs => :graceMs / 1000.0)
           AND NOT EXISTS (SELECT FROM turns t WHERE t.id = e.source_id
             AND t.status IN ('queued', 'running', 'waiting_for_approval'))
           AND NOT EXISTS (SELECT FROM replays r WHERE r.id = e.source_id AND r.settled_at IS NULL)
           AND NOT EXISTS (SELECT FROM documents d WHERE d.id = e.source_id AND d.status IN ('queued', 'processing'))`,
        { graceMs },
      );
    },

    /** Removes what budgets for each have counted in periods that are over, at most so many rows. */
    forgetShares: async (limit: number): Promise<void> => {
      await system.raw(
        `DELETE FROM budget_shares WHERE (budget_id, starts_at, share) IN (
           SELECT s.budget_id, s.starts_at, s.share FROM budgets b JOIN budget_shares s ON s.budget_id = b.id
           WHERE b.is_each AND s.starts_at < ${periodStart('b')} LIMIT :limit)`,
        { limit },
      );
    },

    /** Workspaces with calls that were settled and that their budgets have not counted. */
    listUncounted: async (limit: number): Promise<string[]> => {
      const { rows } = await system.raw<{ rows: { id: string }[] }>(
        `SELECT DISTINCT workspace_id AS id FROM credit_entries WHERE NOT counted AND status = 'settled' LIMIT :limit`,
        { limit },
      );
      return rows.map(({ id }) => id);
    },
  };
}

export type CreditSweepRepository = ReturnType<typeof createCreditSweepRepository>;
