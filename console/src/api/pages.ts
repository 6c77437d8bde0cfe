import type { Page, PageRequest } from './types.ts';

/** The part of a list at a cursor; the first one for an empty cursor. */
export const toPageRequest = (cursor: string): PageRequest => ({
  limit: 100,
  ...(cursor === '' ? {} : { cursor }),
});

/** Reads a list to its end. */
export async function collect<Item>(readPage: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<Item> = await readPage(toPageRequest(cursor));
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}
