import type { PendingAction } from '../../api/types.ts';
import type { EndStatus } from './search.ts';

/** Where the lists of actions that have ended continue, by how they have ended; a list that was read to its end has no place. */
export type Cursors = Readonly<Partial<Record<EndStatus, string>>>;

/** The next part of one list. */
interface ListPart {
  status: EndStatus;
  items: readonly PendingAction[];
  nextCursor: string | null;
}

/** The next parts of all lists. */
export interface EndedPage {
  actions: readonly PendingAction[];
  next: Cursors;
  /** The newest of the last ids of the lists that continue: older actions may be missing. Empty when all lists were read. */
  completeTo: string;
}

/** Returns the page that these parts make. */
export function toEndedPage(parts: readonly ListPart[]): EndedPage {
  const open = parts.filter(({ nextCursor }) => nextCursor !== null);
  const lastIds = open.map(({ items }) => items.at(-1)?.id ?? '');
  return {
    actions: parts.flatMap(({ items }) => items),
    next: Object.fromEntries(open.map(({ status, nextCursor }) => [status, nextCursor])),
    completeTo: lastIds.toSorted().at(-1) ?? '',
  };
}

/** Returns the actions of pages, newest first: none that would come before one which was not read yet. */
export function mergePages(pages: readonly EndedPage[]): PendingAction[] {
  const completeTo = pages.at(-1)?.completeTo ?? '';
  const known = new Map(pages.flatMap(({ actions }) => actions.map((action) => [action.id, action])));
  // Ids begin with the time at which they were made.
  return [...known.values()]
    .filter(({ id }) => id >= completeTo)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
}
