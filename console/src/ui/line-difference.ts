/** A line of one of two texts: one that both have, or one that the first or the second has alone. */
export interface DifferenceLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** The product of the numbers of lines that are compared at most; larger texts count as other texts. */
const mostWork = 250_000;

/** Lists the lines of two texts in their order, with as few removed and added ones as possible. */
export function compareLines(before: string, after: string): DifferenceLine[] {
  const one = before.split('\n');
  const other = after.split('\n');
  const start = countEqual(one, other);
  const end = countEqual(one.slice(start).reverse(), other.slice(start).reverse());
  return [
    ...toLines('same', one.slice(0, start)),
    ...compareMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...toLines('same', one.slice(one.length - end)),
  ];
}

function countEqual(one: readonly string[], other: readonly string[]): number {
  const first = one.findIndex((line, index) => line !== other[index]);
  return first === -1 ? one.length : first;
}

const toLines = (kind: DifferenceLine['kind'], texts: readonly string[]) =>
  texts.map((text): DifferenceLine => ({ kind, text }));

function compareMiddle(one: readonly string[], other: readonly string[]): DifferenceLine[] {
  if (one.length * other.length > mostWork) return [...toLines('removed', one), ...toLines('added', other)];
  const common = countCommon(one, other);
  const lines: DifferenceLine[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    const [removed, added] = [one[row], other[column]];
    if (removed !== undefined && removed === added) {
      lines.push({ kind: 'same', text: removed });
      row += 1;
      column += 1;
    } else if (added === undefined || (common[row + 1]?.[column] ?? -1) >= (common[row]?.[column + 1] ?? 0)) {
      lines.push({ kind: 'removed', text: removed ?? '' });
      row += 1;
    } else {
      lines.push({ kind: 'added', text: added });
      column += 1;
    }
  }
  return lines;
}

/** The greatest numbers of lines that the rests of both texts have in common, by the lines at which the rests begin. */
function countCommon(one: readonly string[], other: readonly string[]): number[][] {
  const counts = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const [below, beside] = [counts[row + 1]?.[column] ?? 0, counts[row]?.[column + 1] ?? 0];
      const diagonal = counts[row + 1]?.[column + 1] ?? 0;
      const most = one[row] === other[column] ? diagonal + 1 : Math.max(below, beside);
      counts[row]?.splice(column, 1, most);
    }
  }
  return counts;
}
