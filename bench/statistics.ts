/**
 * Returns the value below which a share of the values lies, interpolated between two values.
 * @throws RangeError when there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) throw new RangeError('no values to take a quantile of');
  return low + (high - low) * (position - Math.floor(position));
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A point of a line. */
export interface Point {
  x: number;
  y: number;
}

/** Returns the slope of a line through points, by least squares; 0 for fewer than two points. */
export function slope(points: readonly Point[]): number {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const spread = sum(points.map(({ x }) => (x - meanX) ** 2));
  return spread === 0 ? 0 : sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread;
}

/** Whether two sizes differ by no more than a share of the first. */
export function isWithin(first: number, second: number, share: number): boolean {
  return Math.abs(second - first) <= Math.abs(first) * share;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
