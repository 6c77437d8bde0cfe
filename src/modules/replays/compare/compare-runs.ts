import type { Comparison, PassRule, ReplayRun } from '../../../domain/replay.ts';
import { scoreAnswer } from './answer-scores.ts';
import { listBrokenCalls } from './broken-calls.ts';
import { findFirstDifference } from './first-difference.ts';
import { toTrajectory, toTrajectoryScore } from './trajectory.ts';

/** Compares a run with the recorded one. */
export function compareRuns(original: ReplayRun, run: ReplayRun, rule: PassRule): Comparison {
  const trajectory = toTrajectory(original, run);
  const scores = { trajectory: toTrajectoryScore(original, run), ...scoreAnswers(original, run) };
  const brokenCalls = listBrokenCalls(original, run);
  return {
    passed: isPassed({ original, run, rule, trajectory, scores, brokenCalls }),
    trajectory,
    firstDifference: findFirstDifference(original, run),
    brokenCalls,
    scores,
    judged: null,
  };
}

interface Judged extends Pick<Comparison, 'trajectory' | 'scores' | 'brokenCalls'> {
  original: ReplayRun;
  run: ReplayRun;
  rule: PassRule;
}

/** No rule lets a run pass whose calls are not answered any more. */
function isPassed({ original, run, rule, trajectory, scores, brokenCalls = [] }: Judged): boolean {
  const sameOutcomes = original.turns.every(({ outcome }, index) => outcome === run.turns[index]?.outcome);
  const answered = rule.answer === 'any' || scores[rule.answer] === 1;
  return brokenCalls.length === 0 && sameOutcomes && answered && rule.trajectories.includes(trajectory);
}

/** The mean of the scores of the answers of all turns; a turn that was not run has 0. */
function scoreAnswers(original: ReplayRun, run: ReplayRun): Record<string, number> {
  const all = original.turns.map((turn, index) => scoreAnswer(turn, run.turns[index] ?? { answer: '' }));
  const names = [...new Set(all.flatMap((scores) => Object.keys(scores)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = all.flatMap((scores) => scores[name] ?? []);
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}
