import type { ChunkRef } from './vectors.ts';

/** The constant of the paper; the larger it is, the slower the weight falls with the rank. */
const k = 60;

/**
 * Merges rankings, each best first, into one by ranks alone: chunks with high ranks in several rankings come first.
 * The score is the sum of 1 / (60 + rank) over the rankings. Reciprocal rank fusion: G. V. Cormack, C. L. A. Clarke,
 * S. Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009,
 * https://doi.org/10.1145/1571941.1572114.
 */
export function fuseRankings(rankings: ChunkRef[][]): (ChunkRef & { score: number })[] {
  const fused = new Map<string, ChunkRef & { score: number }>();
  for (const ranking of rankings) {
    for (const [index, { documentId, position }] of ranking.entries()) {
      const key = `${documentId}/${position}`;
      const before = fused.get(key)?.score ?? 0;
      fused.set(key, { documentId, position, score: before + 1 / (k + index + 1) });
    }
  }
  // Sorting is stable: among equal scores, the order of the first ranking stays.
  return [...fused.values()].sort((one, other) => other.score - one.score);
}
