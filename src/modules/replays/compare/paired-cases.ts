import type { ReplayRun } from '../../../domain/replay.ts';
import type { EndedRun } from '../replay-case-repository.ts';
import type { CaseMetrics, PairedCase } from '../../../engines/statistics/metrics.ts';

type Scores = CaseMetrics['scores'];

/** The scores of a run that could not be made, and those of the recorded one. A judge calls equal answers a tie. */
const failedScores: Scores = { trajectory: 0, exact: 0, normalised: 0 };
const recordedScores: Scores = { trajectory: 1, exact: 1, normalised: 1 };
const judgeScores = { failed: { judge: 0 }, recorded: { judge: 0.5 } };

interface Pairing {
  hasBaseline: boolean;
  isJudged: boolean;
}

/**
 * Pairs the runs of one case: each run of the candidate with the run of the baseline of the same repeat, or with the recorded
 * one where there is no baseline. Such pairs have no cost and no duration, since a live turn is not measured as a replay is.
 */
export function toPairedCases(runs: EndedRun[], { hasBaseline, isJudged }: Pairing): PairedCase[] {
  const original = runs.find(({ lane }) => lane === 'original');
  return runs.flatMap((second): PairedCase[] => {
    if (second.lane !== 'candidate') return [];
    const baseline = runs.find(({ lane, repeat }) => lane === 'baseline' && repeat === second.repeat);
    const first = hasBaseline ? baseline : original;
    if (!first) return [];
    return [
      {
        conversationId: second.conversationId,
        first: toMetrics(first, { hasBaseline, isJudged }),
        second: toMetrics(second, { hasBaseline, isJudged }),
      },
    ];
  });
}

function toMetrics({ lane, run, comparison }: EndedRun, { hasBaseline, isJudged }: Pairing): CaseMetrics {
  if (!run) {
    const scores = isJudged ? { ...failedScores, ...judgeScores.failed } : failedScores;
    return { passed: false, costUsd: null, durationMs: null, scores };
  }
  const recorded = isJudged ? { ...recordedScores, ...judgeScores.recorded } : recordedScores;
  return {
    // The recorded run is what the others are compared with.
    passed: lane === 'original' || (comparison?.passed ?? false),
    costUsd: hasBaseline ? sumCosts(run) : null,
    durationMs: hasBaseline ? run.turns.reduce((sum, turn) => sum + turn.durationMs, 0) : null,
    scores: lane === 'original' ? recorded : (comparison?.scores ?? {}),
  };
}

function sumCosts({ turns }: ReplayRun): number | null {
  return turns.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  );
}
