/** Returns the time between two moments in whole milliseconds, never negative; null while one of them is missing. */
export function toDurationMs(startedAt: Date | null, endedAt: Date | null): number | null {
  return startedAt && endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime());
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Returns a time in milliseconds in the largest unit that it is a whole number of, such as "7 days". */
export function toDurationText(milliseconds: number): string {
  const [unit, size] = units.find(([, one]) => milliseconds % one === 0) ?? (['second', 1_000] as const);
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    milliseconds / size,
  );
}
