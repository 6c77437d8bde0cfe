import type { Knex } from 'knex';
import { createRestMark, isDue, leased } from './sweep-lease.ts';

/** Which rows of one kind of stored work a sweep takes. */
interface SweptWork {
  table: string;
  /** SQL: the columns of a taken row, by the names of its fields. */
  columns: string;
  /** SQL: the work has not ended, and its workflow may be missing. */
  condition: string;
  /** The column with the time at which something has happened to the work, or has to. */
  since: string;
  /** The minimum age of `since`, in milliseconds: longer than a start takes. */
  graceMs: number;
  /** How long after its sweep a row is not taken again, in milliseconds. @default `graceMs` */
  restMs?: number;
  /** SQL: which rows are taken first. @default those with the earliest `since` */
  order?: string;
}

/**
 * Creates functions that take rows of all workspaces under a lease, so that the next call takes others: work that cannot be
 * started never hides the rest. Needs the system database.
 */
export function createSweptRows<Row>(system: Knex, work: SweptWork) {
  const { table, columns, condition, since, graceMs, restMs = graceMs, order = since } = work;
  return {
    /** Takes at most `limit` rows whose `graceMs` and `restMs` are over. */
    take: async (limit: number): Promise<Row[]> => {
      const { rows } = await system.raw<{ rows: Row[] }>(
        `UPDATE ${table} SET swept_at = ${leased(restMs)} WHERE id IN (
           SELECT id FROM ${table}
           WHERE ${condition} AND ${since} < now() - make_interval(secs => ${graceMs / 1000})
             AND ${isDue('swept_at', restMs)}
           ORDER BY ${order} LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING ${columns}`,
        { limit },
      );
      return rows;
    },

    /** Stores the time at which rows were swept, from which `restMs` counts. */
    markSwept: createRestMark(system, table),
  };
}
