import type { Knex } from 'knex';

/**
 * How long a row that a sweep has taken is left to that sweep, in milliseconds. Work on one row takes less. With the
 * interval of the sweeper, a row whose sweep died is taken again within 30 s.
 */
const leaseMs = 10_000;

const ago = (spanMs: number): string => `now() - make_interval(secs => ${spanMs / 1000})`;

/** SQL: true for rows that rest no longer. `restMs` is the rest after a sweep, in milliseconds. */
export function isDue(column: string, restMs: number): string {
  return `(${column} IS NULL OR ${column} < ${ago(restMs)})`;
}

/**
 * SQL: the time that a row gets when a sweep takes it. The row is due again when the lease is over, unless
 * `createRestMark` has noted that the sweep is done with it.
 */
export function leased(restMs: number): string {
  return ago(restMs - leaseMs);
}

/** SQL: the time from which a row is due that is taken under a lease and has a column for that time. */
export const leaseEnd = ago(-leaseMs);

/**
 * Creates a function that stores the time at which a sweep was done with rows, from which `restMs` counts. A row whose time
 * was cleared during the sweep stays due.
 */
export function createRestMark(
  system: Knex,
  table: string,
  column = 'swept_at',
): (ids: string[]) => Promise<void> {
  return async (ids) => {
    await system(table)
      .whereIn('id', ids)
      .whereNotNull(column)
      .update({ [column]: system.fn.now() });
  };
}
