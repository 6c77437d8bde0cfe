import type { EndedRun } from '../replay-case-repository.ts';
import type { Comparison, ReplayRun } from '../../../domain/replay.ts';

/** The width of a band of scores: less than 1, so that bands do not touch. */
const band = 0.9;

/**
 * Returns how much a run differs from the recorded one: 4 when it could not be made, 3 to 3.9 for another outcome, 2 to 2.9
 * for another trajectory, 1 to 1.9 for another answer, 0.5 for details, 0 for none.
 */
export function toChangeScore(
  original: ReplayRun | null,
  { run, comparison }: Pick<EndedRun, 'run' | 'comparison'>,
): number {
  if (!run || !comparison) return 4;
  const { scores, firstDifference, trajectory } = comparison;
  const strayed = band * (1 - (scores['trajectory'] ?? 0));
  const sameOutcomes = original?.turns.every(({ outcome }, index) => outcome === run.turns[index]?.outcome);
  if (!sameOutcomes) return 3 + strayed;
  if (firstDifference && firstDifference.kind !== 'answer') return 2 + strayed;
  if (firstDifference) return 1 + band * (1 - toAnswerScore(scores));
  return trajectory === 'exact' && scores['exact'] === 1 ? 0 : 0.5;
}

function toAnswerScore({ jsonFields, normalised = 0 }: Comparison['scores']): number {
  return jsonFields ?? normalised;
}

/** Whether a run could not be made, or has a first difference. */
export function isChanged({ run, comparison }: Pick<EndedRun, 'run' | 'comparison'>): boolean {
  return !run || !comparison || comparison.firstDifference !== null;
}
