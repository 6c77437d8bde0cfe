import { type Pair, sumByCluster } from './cluster-sums.ts';
import { toMeanEstimate } from './clustered-mean.ts';
import type { Comparison } from './comparison.ts';
import { bootstrapInSlices } from './paired-bootstrap.ts';
import type { Slices } from './slices.ts';

interface MeansInput {
  pairs: readonly Pair[];
  seed: number;
  resamples: number;
  confidence: number;
  /** The level at which the detectable difference would have to be found. */
  detectionLevel: number;
}

/** Means are judged from this number of conversations on: with fewer, the test does not keep its level. */
const minimumConversations = 10;

/** Compares two means. With too few conversations there is no p value, and the interval is Student's. */
export function* compareMeans({ pairs, ...settings }: MeansInput): Slices<Comparison> {
  const clusters = sumByCluster(pairs);
  const differences = clusters.map(({ first, second, pairs: size }) => ({ sum: second - first, size }));
  const { confidence } = settings;
  const comparison = {
    clusters: clusters.length,
    first: toMeanEstimate(
      clusters.map(({ first, pairs: size }) => ({ sum: first, size })),
      confidence,
    ),
    second: toMeanEstimate(
      clusters.map(({ second, pairs: size }) => ({ sum: second, size })),
      confidence,
    ),
  };
  if (clusters.length < minimumConversations) {
    const difference = toMeanEstimate(differences, confidence);
    return { ...comparison, difference, pValue: null, detectableDifference: null };
  }
  const tested = yield* bootstrapInSlices({ pairs, ...settings });
  const { difference: value, low, high, pValue, detectableDifference } = tested;
  return { ...comparison, difference: { value, low, high }, pValue, detectableDifference };
}
