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

/**
 * Adds up the pairs of each cluster. The sums and their order are the same to the last bit for any order of the pairs and any
 * names of the clusters, so that everything that is computed from them is the same too.
 */
export function sumByCluster(pairs: readonly Pair[]): ClusterSums[] {
  const clusters = new Map<string, ClusterSums>();
  for (const { cluster, first, second } of pairs.toSorted(comparePairs)) {
    const sums = clusters.get(cluster) ?? { pairs: 0, first: 0, second: 0 };
    sums.pairs += 1;
    sums.first += first;
    sums.second += second;
    clusters.set(cluster, sums);
  }
  return [...clusters.values()].toSorted(compareSums);
}

type Values = Pick<Pair, 'first' | 'second'>;

/** Sizes of differences come first, so that swapping the versions keeps the order. */
function comparePairs(one: Values, other: Values): number {
  const toSize = ({ first, second }: Values): number => Math.abs(second - first);
  const toSmaller = ({ first, second }: Values): number => Math.min(first, second);
  return toSize(one) - toSize(other) || toSmaller(one) - toSmaller(other) || one.first - other.first;
}

function compareSums(one: ClusterSums, other: ClusterSums): number {
  return comparePairs(one, other) || one.pairs - other.pairs;
}
