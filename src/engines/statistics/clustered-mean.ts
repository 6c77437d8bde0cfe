import { studentQuantile } from './distributions.ts';

/** The sum of some cases that belong together, and their number. */
export interface Cluster {
  sum: number;
  size: number;
}

/** A mean over all cases, with a standard error that takes cases of one cluster as dependent. */
export interface ClusteredMean {
  mean: number;
  /** `null` for fewer than two clusters. */
  standardError: number | null;
  clusters: number;
}

/** A value with its interval, whose ends are `null` when the data do not determine them. */
export interface Estimate {
  value: number;
  low: number | null;
  high: number | null;
}

/** Returns the mean over all cases, and its standard error by linearization, as for a sample of clusters in a survey. */
export function toClusteredMean(clusters: readonly Cluster[]): ClusteredMean {
  let sum = 0;
  let size = 0;
  for (const cluster of clusters) {
    sum += cluster.sum;
    size += cluster.size;
  }
  const mean = sum / size;
  const count = clusters.length;
  if (count < 2) return { mean, standardError: null, clusters: count };
  const squares = clusters.reduce((total, cluster) => total + (cluster.sum - mean * cluster.size) ** 2, 0);
  return { mean, standardError: Math.sqrt((squares * count) / (count - 1)) / size, clusters: count };
}

/** Returns the mean with Student's interval on one degree of freedom less than there are clusters. */
export function toMeanEstimate(clusters: readonly Cluster[], confidence: number): Estimate {
  const { mean, standardError, clusters: count } = toClusteredMean(clusters);
  if (standardError === null) return { value: mean, low: null, high: null };
  const margin = studentQuantile(count - 1, (1 + confidence) / 2) * standardError;
  return { value: mean, low: mean - margin, high: mean + margin };
}
