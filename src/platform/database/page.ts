import type { Knex } from 'knex';

/** A page of a list. `nextCursor` is the id of its last item, and null on the last page. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The cursor and the size of the requested page. */
export interface PageRequest {
  /** The id of the last item of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** Maps rows to a page. The query has to read one row more than `limit`, which shows that another page follows. */
export function toPage<Row extends { id: string }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(toItem), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The size at which a page with large rows ends, in bytes of what the rows count as `row_bytes`. */
const maxPageBytes = 4 * 1024 * 1024;

/** A row of a page with large rows; `rows_found` counts the rows that the page would have without a limit of bytes. */
type Counted<Row> = Row & { rows_found: number };

/**
 * Runs the query of a page, whose rows say their size as `row_bytes`, and returns its first rows: those that begin before
 * 4 MiB are full, so at least one. `order` is the SQL of the order in which the query has its rows.
 */
export async function withinBytes<Row>(
  trx: Knex,
  query: Knex.QueryBuilder,
  order: string,
): Promise<Counted<Row>[]> {
  const counted = trx
    .from(query.as('page'))
    .select('page.*', trx.raw('count(*) OVER ()::int AS rows_found'))
    .select(trx.raw(`sum(row_bytes) OVER (ORDER BY ${order}) AS bytes_through`));
  return (await trx
    .from(counted.as('counted'))
    .whereRaw('bytes_through - row_bytes < ?', [maxPageBytes])
    .orderByRaw(order)) as Counted<Row>[];
}

/** Maps the rows that `withinBytes` returned to a page; a page that its bytes have ended is followed by another one. */
export function toBoundedPage<Row extends { id: string; rows_found: number }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const found = rows[0]?.rows_found ?? 0;
  return { items: shown.map(toItem), nextCursor: found > shown.length ? (shown.at(-1)?.id ?? null) : null };
}
