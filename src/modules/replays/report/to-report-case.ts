import type { EndedRun } from '../replay-case-repository.ts';
import type { Comparison, Lane, ReplayRun } from '../../../domain/replay.ts';
import type { ReportCase, ReportRun } from '../../../domain/replay-report.ts';
import { addUsage, noUsage } from '../../../domain/usage.ts';
import { listCalls } from '../compare/trajectory.ts';

/** The width of a band of scores: less than 1, so that bands do not touch. */
const band = 0.9;

/** The maximum number of rule blocks and tools of a case that a report names. */
const mostNamed = 20;

/** Returns a case with its texts whole, and without the diff of its answers. Null before its candidate has run. */
export function toReportCase(runs: EndedRun[]): ReportCase | null {
  const original = runs.find(({ lane }) => lane === 'original')?.run ?? null;
  const candidate = takeMostChanged(runs, original, 'candidate');
  const [first] = runs;
  if (!first || !candidate) return null;
  const index = toTurnIndex(candidate, original);
  const lanes: [Lane, EndedRun | undefined][] = [
    ['original', runs.find(({ lane }) => lane === 'original')],
    ['baseline', takeMostChanged(runs, original, 'baseline')],
    ['candidate', candidate],
  ];
  const shown = lanes.flatMap(([lane, run]) => (run ? [[lane, run] as const] : []));
  const turns = (original ?? candidate.run)?.turns ?? [];
  return {
    ...{ position: first.position, conversationId: first.conversationId },
    turnIds: turns.map(({ turnId }) => turnId),
    change: round(toChangeScore(original, candidate), 4),
    changed: isChanged(candidate),
    turn: index + 1,
    message: turns[index]?.message ?? '',
    tools: listTools(shown.flatMap(([, { run }]) => run ?? [])),
    lanes: Object.fromEntries(
      shown.map(([lane, run]) => [lane, toReportRun(runs, run, { original, index })]),
    ),
    answerDiff: null,
  };
}

function takeMostChanged(runs: EndedRun[], original: ReplayRun | null, name: Lane): EndedRun | undefined {
  return runs
    .filter(({ lane }) => lane === name)
    .map((run) => ({ run, change: toChangeScore(original, run) }))
    .toSorted((one, other) => other.change - one.change)[0]?.run;
}

/** The turn of the first difference, otherwise the last one. */
function toTurnIndex({ comparison, run }: EndedRun, original: ReplayRun | null): number {
  const turn = comparison?.firstDifference?.turn ?? (original ?? run)?.turns.length ?? 1;
  return Math.max(0, turn - 1);
}

function listTools(runs: ReplayRun[]): string[] {
  const names = runs.flatMap((run) => listCalls(run).map(({ name }) => name));
  return [...new Set(names)].toSorted().slice(0, mostNamed);
}

interface Shown {
  original: ReplayRun | null;
  index: number;
}

function toReportRun(runs: EndedRun[], ended: EndedRun, { original, index }: Shown): ReportRun {
  const { lane, run, comparison, error } = ended;
  const repeats = runs.filter((one) => one.lane === lane);
  const isPassed = (one: EndedRun) => lane === 'original' || one.comparison?.passed === true;
  const answer = run?.turns[index]?.answer ?? '';
  const isRecorded = lane !== 'original' && answer === original?.turns[index]?.answer;
  return {
    repeats: { runs: repeats.length, passed: repeats.filter(isPassed).length },
    passed: isPassed(ended),
    error,
    outcome: run?.turns[index]?.outcome ?? run?.turns.at(-1)?.outcome ?? null,
    trajectory: comparison?.trajectory ?? null,
    firstDifference: comparison?.firstDifference ?? null,
    brokenCalls: (comparison?.brokenCalls ?? []).slice(0, mostNamed),
    scores: Object.fromEntries(
      Object.entries(comparison?.scores ?? {}).map(([name, score]) => [name, round(score, 4)]),
    ),
    judged: toReportJudged(comparison),
    ruleBlocks: listRuleBlocks(run),
    calls: run ? listCalls(run).length : 0,
    answer: isRecorded ? null : answer,
    ...sumTurns(run),
  };
}

function toReportJudged(comparison: Comparison | null): ReportRun['judged'] {
  if (!comparison?.judged) return null;
  const { verdict, flipped, reasons, promptHash } = comparison.judged;
  return { verdict, flipped, reasons, promptHash };
}

function listRuleBlocks(run: ReplayRun | null): ReportRun['ruleBlocks'] {
  const calls = run ? listCalls(run) : [];
  return calls.flatMap(({ name, rule }) => (rule === null ? [] : [{ tool: name, rule }])).slice(0, mostNamed);
}

function sumTurns(run: ReplayRun | null): Pick<ReportRun, 'usage' | 'costUsd' | 'durationMs'> {
  const turns = run?.turns ?? [];
  const costs = turns.flatMap(({ costUsd }) => costUsd ?? []);
  const isPriced = run !== null && costs.length === turns.length;
  return {
    usage: turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    costUsd: isPriced
      ? round(
          costs.reduce((sum, cost) => sum + cost, 0),
          9,
        )
      : null,
    durationMs: Math.round(turns.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/**
 * Returns how much a run differs from the recorded one: 4 when it could not be made, 3 to 3.9 for another outcome, 2 to 2.9
 * for another trajectory, 1 to 1.9 for another answer, 0.5 for details, 0 for none.
 */
function toChangeScore(
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
function isChanged({ run, comparison }: Pick<EndedRun, 'run' | 'comparison'>): boolean {
  return !run || !comparison || comparison.firstDifference !== null;
}
