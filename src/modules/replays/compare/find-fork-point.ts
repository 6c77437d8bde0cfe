import type { Ancestor } from './comparison-repository.ts';

/** A conversation whose beginning another one shares, and the first ordinals on both sides that they do not share. */
interface Shared {
  id: string;
  /** The ordinal in the ancestor, and in the conversation itself. */
  there: number;
  here: number;
}

/**
 * Finds the fork point of two conversations, from each of them with its ancestors: the first ordinals in both that are not
 * in common. Null for conversations without a common ancestor. Copies keep their ordinals, so that an ordinal before a fork
 * point is the same in the parent and in the fork.
 */
export function findForkPoint(one: Ancestor[], other: Ancestor[]): [number, number] | null {
  if (one[0]?.id === other[0]?.id) return null;
  const others = new Map(listShared(other).map((shared) => [shared.id, shared]));
  for (const mine of listShared(one)) {
    const theirs = others.get(mine.id);
    if (theirs) return [Math.min(mine.here, theirs.there), Math.min(theirs.here, mine.there)];
  }
  return null;
}

/** The conversation itself, and all whose beginning it shares; the last one may be deleted. */
function listShared(line: Ancestor[]): Shared[] {
  const [own] = line;
  if (!own) return [];
  const shared: Shared[] = [{ id: own.id, there: Infinity, here: Infinity }];
  let [there, here] = [Infinity, Infinity];
  for (const { parentId, parentOrdinal, forkOrdinal } of line) {
    if (parentId === null || parentOrdinal === null || forkOrdinal === null) break;
    [there, here] = [Math.min(there, parentOrdinal), Math.min(here, forkOrdinal)];
    shared.push({ id: parentId, there, here });
  }
  return shared;
}
