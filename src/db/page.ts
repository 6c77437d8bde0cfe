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
