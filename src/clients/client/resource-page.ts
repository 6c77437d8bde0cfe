/** Which part of a list to read. */
export interface PageRequest {
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** A part of a list; `nextCursor` is null on the last one. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}
