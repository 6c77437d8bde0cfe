import { setImmediate } from 'node:timers/promises';
import {
  callAnswers,
  type CallAnswer,
  type Lane,
  type Outside,
  type ReplayInput,
  type ReplayRun,
} from '../domain/replay.ts';
import { addUsage, noUsage } from '../domain/usage.ts';
import type { EndedRun } from '../db/replays/replay-case-repository.ts';
import { judgeInSlices, type Judgement } from '../statistics/judge-metrics.ts';
import type { PairedCase } from '../statistics/metrics.ts';
import { toPairedCases } from './paired-cases.ts';
import { listCalls } from './trajectory.ts';

/** The sums of all runs of one lane. */
export interface LaneSummary {
  runs: number;
  /** Runs that could not be made; they count as not passed. */
  failed: number;
  passed: number;
  outcomes: Record<string, number>;
  trajectories: Record<string, number>;
  ruleBlocks: number;
  usage: ReturnType<typeof addUsage>;
  /** Null when the price of a model is not known. */
  costUsd: number | null;
  /** The sum over all turns. */
  durationMs: number;
}

/** What a judge said of the runs of the candidate, and how far it can be relied on. */
export interface JudgeSummary {
  better: number;
  worse: number;
  tie: number;
  /** Runs of which it said something else when the answers were shown in the other order; they are ties. */
  flipped: number;
  /** Runs that people have judged too, and those of them on which the judge agrees. */
  labelled: number;
  agreed: number;
}

/** The sums of a replay. */
export interface ReplaySummary {
  schemaVersion: 1;
  cases: number;
  /** What all runs together have reached outside, counted where sockets are opened and secrets are decrypted. */
  outside: Outside;
  /** How the tool calls of all runs were answered. */
  calls: Record<CallAnswer, number>;
  /** Recorded calls that a run of the candidate never asked for. */
  unasked: number;
  lanes: Partial<Record<Lane, LaneSummary>>;
  /** What the judge said of the candidate; null without a judge. */
  judge: JudgeSummary | null;
  /** The candidate against the baseline, or against the recorded runs where there is no baseline. */
  judgement: Judgement;
  /** The runs of the candidate by the kind of their first difference; `none` for those without one. */
  differences: Record<string, number>;
}

/** Sums up the runs of a replay, which come case by case. */
export async function summarizeRuns(
  cases: AsyncIterable<EndedRun[]>,
  { baseline, seed, judge: judgeInput }: Pick<ReplayInput, 'baseline' | 'seed' | 'judge'>,
): Promise<ReplaySummary> {
  const sums = createSums(baseline, judgeInput !== undefined);
  const paired: PairedCase[] = [];
  for await (const runs of cases) {
    sums.cases += 1;
    for (const run of runs) {
      addRun(sums, run);
      if (run.lane === 'candidate' && sums.judge) addJudged(sums.judge, run, judgeInput?.labels ?? {});
    }
    paired.push(...toPairedCases(runs, baseline));
  }
  return { ...sums, judgement: await judge(paired, seed) };
}

/** Judges in slices, so that other work of the process goes on meanwhile. */
async function judge(cases: PairedCase[], seed: number): Promise<Judgement> {
  const slices = judgeInSlices({ cases, seed });
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    await setImmediate();
  }
}

type ReplaySums = Omit<ReplaySummary, 'judgement'>;

function createSums(baseline: boolean, isJudged: boolean): ReplaySums {
  const lanes: Lane[] = baseline ? ['original', 'baseline', 'candidate'] : ['original', 'candidate'];
  return {
    ...{ schemaVersion: 1, cases: 0, unasked: 0, differences: {} },
    judge: isJudged ? { better: 0, worse: 0, tie: 0, flipped: 0, labelled: 0, agreed: 0 } : null,
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
    calls: Object.fromEntries(callAnswers.map((answer) => [answer, 0])) as Record<CallAnswer, number>,
    lanes: Object.fromEntries(lanes.map((lane) => [lane, createLane()])),
  };
}

function createLane(): LaneSummary {
  const counts = { runs: 0, failed: 0, passed: 0, ruleBlocks: 0, costUsd: 0, durationMs: 0 };
  return { ...counts, outcomes: {}, trajectories: {}, usage: noUsage };
}

function addRun(summary: ReplaySums, ended: EndedRun): void {
  const { lane: name, run, comparison, outside } = ended;
  summary.outside.connectionsOpened += outside.connectionsOpened;
  summary.outside.credentialsDecrypted += outside.credentialsDecrypted;
  const lane = summary.lanes[name];
  if (!lane) return;
  lane.runs += 1;
  if (!run) lane.failed += 1;
  if (comparison?.passed) lane.passed += 1;
  if (comparison) increase(lane.trajectories, comparison.trajectory);
  if (run) addTurns(lane, run);
  if (run && name !== 'original')
    for (const { answeredBy } of listCalls(run)) if (answeredBy) summary.calls[answeredBy] += 1;
  if (name !== 'candidate') return;
  summary.unasked += run?.turns.reduce((sum, { unasked }) => sum + unasked.length, 0) ?? 0;
  increase(summary.differences, run ? (comparison?.firstDifference?.kind ?? 'none') : 'not_run');
}

/** The label of a case is that of its last turn. */
function addJudged(
  judge: JudgeSummary,
  { run, comparison }: EndedRun,
  labels: NonNullable<ReplayInput['judge']>['labels'],
): void {
  const judged = comparison?.judged;
  if (!judged) return;
  judge[judged.verdict] += 1;
  if (judged.flipped) judge.flipped += 1;
  const label = labels[run?.turns.at(-1)?.turnId ?? ''];
  if (label === undefined) return;
  judge.labelled += 1;
  if (label === judged.verdict) judge.agreed += 1;
}

function addTurns(lane: LaneSummary, run: ReplayRun): void {
  for (const { outcome, usage, costUsd, durationMs } of run.turns) {
    increase(lane.outcomes, outcome);
    lane.usage = addUsage(lane.usage, usage);
    lane.costUsd = lane.costUsd === null || costUsd === null ? null : lane.costUsd + costUsd;
    lane.durationMs += durationMs;
  }
  lane.ruleBlocks += listCalls(run).filter(({ rule }) => rule !== null).length;
}

function increase(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
