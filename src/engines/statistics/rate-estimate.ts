import { type Cluster, type Estimate, toClusteredMean } from './clustered-mean.ts';
import { wilsonInterval } from './wilson-interval.ts';

/**
 * Returns the rate of successes with Wilson's interval, in which cases of one cluster that resemble each other count for
 * less than one case each. The sum of a cluster is the number of its successes.
 */
export function toRateEstimate(clusters: readonly Cluster[], confidence: number): Estimate {
  const total = clusters.reduce((sum, { size }) => sum + size, 0);
  const successes = clusters.reduce((all, { sum }) => all + sum, 0);
  const shrunk = toDesignEffect(clusters, successes);
  const interval = wilsonInterval({ successes: successes / shrunk, total: total / shrunk, confidence });
  return { value: successes / total, ...interval };
}

/**
 * Returns how many cases count for one: the variance of the mean over its variance if all cases were independent (Kish
 * 1965). With no variance to compare, each cluster counts for one case.
 *
 * `squares` is the sum of the squares of the single values, which are ones, zeros and minus ones.
 */
export function toDesignEffect(clusters: readonly Cluster[], squares: number): number {
  const { mean, standardError } = toClusteredMean(clusters);
  const size = clusters.reduce((sum, cluster) => sum + cluster.size, 0);
  const spread = squares / size - mean ** 2;
  if (standardError === null || size === clusters.length || spread <= 0) return size / clusters.length;
  return Math.max(1, (standardError ** 2 * (size - 1)) / spread);
}
