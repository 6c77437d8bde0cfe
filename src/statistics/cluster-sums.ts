/** One number of a case in both versions, and the conversation of the case. */
export interface Pair {
  cluster: string;
  first: number;
  second: number;
}

/** The pairs of one cluster, added up. */
export interface ClusterSums {
  pairs: number;
  first: number;
  second: number;
}

/** Adds up the pairs of each cluster; clusters keep the order in which they first occur. */
export function sumByCluster(pairs: readonly Pair[]): ClusterSums[] {
  const clusters = new Map<string, ClusterSums>();
  for (const { cluster, first, second } of pairs) {
    const sums = clusters.get(cluster) ?? { pairs: 0, first: 0, second: 0 };
    sums.pairs += 1;
    sums.first += first;
    sums.second += second;
    clusters.set(cluster, sums);
  }
  return [...clusters.values()];
}
