import type { Page, PageRequest } from './types.ts';

/** Reads all pages of a list. */
export async function listAll<Item>(readPage: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await readPage({ limit: 100, cursor });
    found.push(...items);
    if (nextCursor === null) return found;
    cursor = nextCursor;
  }
}
