import { type ClusterSums, type Pair, sumByCluster } from './cluster-sums.ts';
import type { Cluster } from './clustered-mean.ts';
import type { Comparison } from './comparison.ts';
import { detectableRateDifference } from './detectable-difference.ts';
import { exactClusteredMcNemar, exactMcNemar } from './exact-mcnemar.ts';
import { pairedRateInterval } from './paired-rate-interval.ts';
import { toDesignEffect, toRateEstimate } from './rate-estimate.ts';

interface Levels {
  confidence: number;
  /** The level at which the detectable difference would have to be found. */
  level: number;
}

/**
 * Compares two pass rates; each pair holds ones and zeros. Cases of one conversation that resemble each other count for
 * less than one case each in the intervals: the counts are divided by the design effect.
 */
export function compareRates(pairs: readonly Pair[], { confidence, level }: Levels): Comparison {
  const clusters = sumByCluster(pairs);
  const counts = countOutcomes(pairs);
  const discordant = counts.onlyFirst + counts.onlySecond;
  const toSurplus = ({ first, second }: ClusterSums): number => second - first;
  const read = (toSum: (cluster: ClusterSums) => number) =>
    clusters.map((cluster): Cluster => ({ sum: toSum(cluster), size: cluster.pairs }));
  const shrunk = toDesignEffect(read(toSurplus), discordant);
  return {
    clusters: clusters.length,
    first: toRateEstimate(
      read(({ first }) => first),
      confidence,
    ),
    second: toRateEstimate(
      read(({ second }) => second),
      confidence,
    ),
    difference: {
      value: (counts.onlySecond - counts.onlyFirst) / pairs.length,
      ...pairedRateInterval(
        {
          both: counts.both / shrunk,
          neither: counts.neither / shrunk,
          onlyFirst: counts.onlyFirst / shrunk,
          onlySecond: counts.onlySecond / shrunk,
        },
        confidence,
      ),
    },
    pValue:
      clusters.length === pairs.length
        ? exactMcNemar(counts)
        : exactClusteredMcNemar(clusters.map(toSurplus)),
    detectableDifference: detectableRateDifference({
      pairs: pairs.length / shrunk,
      discordant: discordant / shrunk,
      level,
    }),
  };
}

function countOutcomes(pairs: readonly Pair[]) {
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const { first, second } of pairs) {
    if (first === second) counts[first === 1 ? 'both' : 'neither'] += 1;
    else counts[first === 1 ? 'onlyFirst' : 'onlySecond'] += 1;
  }
  return counts;
}
