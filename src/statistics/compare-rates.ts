import { type ClusterSums, type Pair, sumByCluster } from './cluster-sums.ts';
import { type Cluster, type Estimate, toClusteredMean } from './clustered-mean.ts';
import type { Comparison } from './comparison.ts';
import { detectableRateDifference } from './detectable-difference.ts';
import { exactClusteredMcNemar, exactMcNemar } from './exact-mcnemar.ts';
import { pairedRateInterval } from './paired-rate-interval.ts';
import { wilsonInterval } from './wilson-interval.ts';

interface Levels {
  confidence: number;
  /** The level at which the detectable difference would have to be found. */
  level: number;
}

/**
 * Compares two pass rates; each pair holds ones and zeros. Cases of one conversation that resemble each other count for
 * less than one case each in the intervals: the counts are divided by the design effect (Kish 1965).
 */
export function compareRates(pairs: readonly Pair[], { confidence, level }: Levels): Comparison {
  const clusters = sumByCluster(pairs);
  const counts = countOutcomes(pairs);
  const discordant = counts.onlyFirst + counts.onlySecond;
  const toSurplus = ({ first, second }: ClusterSums): number => second - first;
  const shrunk = toDesignEffect(clusters, toSurplus, discordant);
  return {
    clusters: clusters.length,
    first: toRateEstimate(clusters, ({ first }) => first, confidence),
    second: toRateEstimate(clusters, ({ second }) => second, confidence),
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

function toRateEstimate(
  clusters: readonly ClusterSums[],
  read: (cluster: ClusterSums) => number,
  confidence: number,
): Estimate {
  const total = clusters.reduce((sum, { pairs }) => sum + pairs, 0);
  const successes = clusters.reduce((sum, cluster) => sum + read(cluster), 0);
  const shrunk = toDesignEffect(clusters, read, successes);
  const interval = wilsonInterval({ successes: successes / shrunk, total: total / shrunk, confidence });
  return { value: successes / total, ...interval };
}

/**
 * Returns how many cases count for one: the variance of the mean over its variance if all cases were independent. With
 * no variance to compare, each conversation counts for one case.
 *
 * `squares` is the sum of the squares of the single values, which are ones, zeros and minus ones.
 */
function toDesignEffect(
  clusters: readonly ClusterSums[],
  read: (cluster: ClusterSums) => number,
  squares: number,
): number {
  const { mean, standardError } = toClusteredMean(
    clusters.map((cluster): Cluster => ({ sum: read(cluster), size: cluster.pairs })),
  );
  const size = clusters.reduce((sum, { pairs }) => sum + pairs, 0);
  const spread = squares / size - mean ** 2;
  if (standardError === null || size === clusters.length || spread <= 0) return size / clusters.length;
  return Math.max(1, (standardError ** 2 * (size - 1)) / spread);
}
