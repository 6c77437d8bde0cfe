/** The limits of what is kept: of the sum of all sizes, and of their number. */
interface WindowLimits {
  most: number;
  mostItems: number;
}

/**
 * Returns the index of the first item that is kept when new items drop the oldest ones at a limit. The start moves in steps:
 * at a limit it moves until half of the limit is free, so that most new items do not change the beginning, and with it the
 * prefix that vendors cache.
 */
export function findWindowStart(sizes: readonly number[], { most, mostItems }: WindowLimits): number {
  let start = 0;
  let sum = 0;
  for (const [index, size] of sizes.entries()) {
    sum += size;
    if (sum <= most && index - start < mostItems) continue;
    while (start < index && (sum > most / 2 || index - start >= mostItems / 2)) {
      sum -= sizes[start] ?? 0;
      start += 1;
    }
  }
  return start;
}
