/** A part of a list; `nextCursor` is the id of its last item while there is more, and leads to the next part. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** What part of a list is asked for. */
export interface PageRequest {
  /** The id of the last item of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** Makes a page out of rows that were read with one more than the limit, to know whether there is more. */
export function toPage<Row extends { id: string }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(toItem), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
