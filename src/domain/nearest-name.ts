/** A name that is longer than this has no nearest one: the comparison costs the product of the lengths. */
const longestCompared = 64;

/** The share of characters that may differ between a name and the one that was meant. */
const mostDifferent = 0.4;

/**
 * Returns the number of single characters that have to be inserted, deleted, replaced or swapped with their neighbour to get
 * one name from the other (optimal string alignment). Case, `_` and `-` do not count. Infinity for names too far apart.
 */
export function nameDistance(one: string, other: string): number {
  const [from, to] = [toPlain(one), toPlain(other)];
  const longest = Math.max(from.length, to.length);
  const most = longest * mostDifferent;
  if (longest > longestCompared || Math.abs(from.length - to.length) > most) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const moved = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(changed, moved, swapped));
    }
    [before, last] = [last, current];
  }
  const distance = last.at(-1) ?? Infinity;
  return distance <= most ? distance : Infinity;
}

/** Returns the known name that was probably meant, the first of those that are equally near; undefined when none is near. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: { name: string | undefined; distance: number } = { name: undefined, distance: Infinity };
  for (const other of known) {
    const distance = nameDistance(name, other);
    if (distance < nearest.distance) nearest = { name: other, distance };
  }
  return nearest.name;
}

interface NameList {
  /** The kind of thing that has the name, such as `scope`. */
  noun: string;
  known: readonly string[];
  /** Where a person finds the whole list. */
  listedIn: string;
}

/** Returns the message about a name that is not known: with the nearest name, if one is near, and where the list is. */
export function describeUnknownName(name: string, { noun, known, listedIn }: NameList): string {
  const nearest = findNearestName(name.slice(0, longestCompared + 1), known);
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `there is no ${noun} "${name.slice(0, longestCompared)}".${meant} ${listedIn} lists all of them.`;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
