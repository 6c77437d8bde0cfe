/**
 * Returns p values adjusted for the number of tests, in the order given: one that is below a level rejects its
 * hypothesis, and the probability that any true hypothesis is rejected is at most that level (Holm 1979).
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  const ranked = [...pValues.entries()].toSorted(([, one], [, other]) => one - other);
  for (const [rank, [index, pValue]] of ranked.entries()) {
    largest = Math.max(largest, Math.min(1, pValue * (pValues.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
