import type { Page, PageRequest } from '../client/index.ts';

/** The first items of a list, page after page. */
export async function readFirst<Item>(
  most: number,
  read: (page: PageRequest) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ cursor, limit: Math.min(100, most - items.length) });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < most);
  return items;
}

/** All items of a list, page after page. */
export function readAll<Item>(read: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  return readFirst(Infinity, read);
}
