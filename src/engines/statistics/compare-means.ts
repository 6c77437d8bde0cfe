import { type Pair, sumByCluster, type ClusterSums } from './cluster-sums.ts';
import { type Cluster, toMeanEstimate } from './clustered-mean.ts';
import type { Comparison } from './comparison.ts';
import { type BootstrapResult, bootstrapInSlices } from './paired-bootstrap.ts';
import { flipSignsInSlices } from './sign-flips.ts';
import type { Slices } from './slices.ts';

interface MeansInput {
  pairs: readonly Pair[];
  resamples: number;
  confidence: number;
  /** The level at which the detectable difference would have to be found. */
  detectionLevel: number;
}

/** The most conversations whose choices of signs are all tried; more of them are resampled. */
const mostFlipped = 24;

/**
 * Compares two means: by all choices of signs for few conversations, otherwise by resamples. The same pairs in any order give
 * the same result.
 */
export function* compareMeans({ pairs, ...settings }: MeansInput): Slices<Comparison> {
  const { confidence, detectionLevel } = settings;
  const clusters = sumByCluster(pairs);
  const read = (toSum: (cluster: (typeof clusters)[number]) => number) =>
    clusters.map((cluster): Cluster => ({ sum: toSum(cluster), size: cluster.pairs }));
  const comparison = {
    clusters: clusters.length,
    first: toMeanEstimate(
      read(({ first }) => first),
      confidence,
    ),
    second: toMeanEstimate(
      read(({ second }) => second),
      confidence,
    ),
  };
  const bootstrap = () => bootstrapInSlices({ pairs, seed: toDataSeed(clusters), ...settings });
  if (clusters.length > mostFlipped) return { ...comparison, ...toTested(yield* bootstrap()) };
  const differences = read(({ first, second }) => second - first);
  const { value } = toMeanEstimate(differences, confidence);
  const { pValue, low, high } = yield* flipSignsInSlices(differences, confidence);
  // With fewer conversations no choice of signs is rare enough.
  const canDetect = clusters.length > 1 && 2 ** (1 - clusters.length) <= detectionLevel;
  const detectableDifference = canDetect ? (yield* bootstrap()).detectableDifference : null;
  return { ...comparison, difference: { value, low, high }, pValue, detectableDifference };
}

function toTested({ difference: value, low, high, pValue, detectableDifference }: BootstrapResult) {
  return { difference: { value, low, high }, pValue, detectableDifference };
}

/**
 * Returns a 32-bit seed that is made from the data alone (FNV-1a), so that the same data get the same resamples, also with the
 * versions swapped.
 */
function toDataSeed(clusters: readonly ClusterSums[]): number {
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
