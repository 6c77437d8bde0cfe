import { setImmediate } from 'node:timers/promises';
import {
  callAnswers,
  type CallAnswer,
  type Lane,
  type Margins,
  toMargins,
  type ReplayInput,
  type ReplayRun,
} from '../../../domain/replay.ts';
import type { LaneSummary, ReplaySummary } from '../../../domain/replay-report.ts';
import { addUsage, noUsage } from '../../../domain/usage.ts';
import type { EndedRun } from '../replay-case-repository.ts';
import { judgeInSlices, type Judgement } from '../../../engines/statistics/judge-metrics.ts';
import type { PairedCase } from '../../../engines/statistics/metrics.ts';
import { createCaseChanges } from './case-changes.ts';
import { createJudgeSums } from './judge-sums.ts';
import { toPairedCases } from './paired-cases.ts';
import { listCalls } from './trajectory.ts';

/** Sums up the runs of a replay, which come case by case. */
export async function summarizeRuns(
  cases: AsyncIterable<EndedRun[]>,
  { baseline, margins, judge: judgeInput }: Pick<ReplayInput, 'baseline' | 'margins' | 'judge'>,
): Promise<ReplaySummary> {
  const sums = createSums(baseline);
  const verdicts = judgeInput && createJudgeSums(judgeInput.labels);
  const changes = createCaseChanges(baseline);
  const paired: PairedCase[] = [];
  const durations: Partial<Record<Lane, number[]>> = {};
  for await (const runs of cases) {
    sums.cases += 1;
    for (const run of runs) {
      addRun(sums, run);
      verdicts?.add(run);
      if (run.run) (durations[run.lane] ??= []).push(sumDurations(run.run));
    }
    changes.add(runs);
    paired.push(...toPairedCases(runs, { hasBaseline: baseline, isJudged: verdicts !== undefined }));
  }
  for (const [name, lane] of Object.entries(sums.lanes))
    lane.durations = toQuantiles(durations[name as Lane]);
  return {
    ...sums,
    changes: changes.toChanges(),
    judge: verdicts?.toSummary() ?? null,
    judgement: await judge(paired, toMargins(margins)),
  };
}

/** Judges in slices, so that other work of the process runs between them. */
async function judge(cases: PairedCase[], margins: Margins): Promise<Judgement> {
  const slices = judgeInSlices({ cases, margins });
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    await setImmediate();
  }
}

type ReplaySums = Omit<ReplaySummary, 'changes' | 'judge' | 'judgement'>;

function createSums(baseline: boolean): ReplaySums {
  const lanes: Lane[] = baseline ? ['original', 'baseline', 'candidate'] : ['original', 'candidate'];
  return {
    ...{ schemaVersion: 1, cases: 0, unasked: 0, differences: {} },
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
    calls: Object.fromEntries(callAnswers.map((answer) => [answer, 0])) as Record<CallAnswer, number>,
    lanes: Object.fromEntries(lanes.map((lane) => [lane, createLane()])),
  };
}

function createLane(): LaneSummary {
  const counts = { runs: 0, failed: 0, passed: 0, ruleBlocks: 0, asks: 0, costUsd: 0, durationMs: 0 };
  return { ...counts, outcomes: {}, trajectories: {}, usage: noUsage, durations: null };
}

function sumDurations({ turns }: ReplayRun): number {
  return turns.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** Nearest ranks. */
function toQuantiles(values: number[] = []): LaneSummary['durations'] {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (rank: number) => sorted[Math.ceil(rank * sorted.length) - 1] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
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

function addTurns(lane: LaneSummary, run: ReplayRun): void {
  for (const { outcome, usage, costUsd, durationMs } of run.turns) {
    increase(lane.outcomes, outcome);
    lane.usage = addUsage(lane.usage, usage);
    lane.costUsd = lane.costUsd === null || costUsd === null ? null : lane.costUsd + costUsd;
    lane.durationMs += durationMs;
  }
  lane.ruleBlocks += listCalls(run).filter(({ rule }) => rule !== null).length;
  lane.asks += listCalls(run).filter(({ asks }) => asks !== undefined).length;
}

function increase(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
