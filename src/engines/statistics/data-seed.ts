import type { ClusterSums } from './cluster-sums.ts';

/**
 * Returns a 32-bit seed that is made from the data alone (FNV-1a), so that the same data get the same resamples, also with the
 * versions swapped.
 */
export function toDataSeed(clusters: readonly ClusterSums[]): number {
  const numbers = clusters.flatMap(({ pairs, first, second }) => [
    pairs,
    Math.min(first, second),
    Math.max(first, second),
  ]);
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(Float64Array.from(numbers).buffer))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
