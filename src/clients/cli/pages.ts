import { HoldfastError } from '../../domain/errors.ts';
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

/**
 * Returns how many items `--limit` asks for.
 * @throws HoldfastError `INVALID_INPUT` for what is neither a number above 0 nor "all"
 */
export function parseLimit(limit: string): number {
  if (limit === 'all') return Infinity;
  const most = Number(limit);
  if (Number.isInteger(most) && most > 0) return most;
  throw new HoldfastError('INVALID_INPUT', `--limit is "${limit}": expected a number above 0, or "all".`);
}
