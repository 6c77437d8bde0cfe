import {
  maxReportCases,
  type ReplaySummary,
  type ReportCase,
  type ReportHead,
} from '../../../domain/replay-report.ts';
import {
  callAnswers,
  lanes as laneNames,
  type GivenMargins,
  type Replay,
  toMargins,
  type ReplayInput,
} from '../../../domain/replay.ts';
import { readCaseRuns, type CaseRuns, type InReplays } from './create-replay-summary.ts';
import { summarizeRuns } from '../compare/summarize-runs.ts';
import type { Actor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';
import { findCap, finishCase, toDraft, type DraftCase } from './fit-texts.ts';
import { isFailed } from './is-failed.ts';
import { toReportCase } from './to-report-case.ts';
import { toMargin, toMetricVerdict, toOverallVerdict, toRank } from '../../../engines/statistics/verdict.ts';

const measuredByRuns: readonly string[] = ['costUsd', 'durationMs'];

const leftOutReason =
  'there is no baseline run, and a live turn is not measured as a replay is: its tools really ran, and its cost depends on ' +
  'caches, summaries and other attempts';

/** A report: its head, and its cases one by one, those that changed most first. */
export interface BuiltReport {
  head: ReportHead;
  /** The cases by outcome: `failed` have run, but not passed with all repeats. */
  tally: { cases: number; failed: number; notRun: number };
  cases: () => Iterable<ReportCase>;
}

interface ReportRequest {
  replayId: string;
  /** The margins of the verdicts. @default those of the replay */
  margins?: GivenMargins | undefined;
}

/**
 * Builds the report of a replay from the runs that are stored.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` without `conversations:read`
 */
export async function buildReport(
  inReplays: InReplays,
  reader: Pick<Actor, 'scopes'>,
  { replayId, margins }: ReportRequest,
): Promise<BuiltReport> {
  authorize(reader, 'replays.readTexts');
  const [replay, stored] = await inReplays(({ replays }) =>
    Promise.all([replays.getReplay(replayId), replays.findSummary(replayId)]),
  );
  const drafts = createDrafts();
  const runs = drafts.collect(readCaseRuns(inReplays, { replayId, cases: replay.cases ?? 0 }));
  // A stored summary stays when conversations are removed; their cases are gone.
  const summary = stored
    ? await drain(runs, stored as ReplaySummary)
    : await summarizeRuns(runs, replay.input);
  const { shown, leftOut } = drafts.take();
  const cap = findCap(shown);
  return {
    head: toHead({ replay, summary, margins }, leftOut),
    tally: toTally(shown.map(({ reportCase }) => reportCase)),
    cases: function* () {
      for (const draft of shown) yield finishCase(draft, cap);
    },
  };
}

async function drain<Result>(items: AsyncGenerator, result: Result): Promise<Result> {
  while (!(await items.next()).done);
  return result;
}

/** Collects the cases of runs that go by, and keeps those that changed most. */
function createDrafts() {
  let drafts: DraftCase[] = [];
  let all = 0;
  const trim = () => {
    drafts = drafts.toSorted(byChange).slice(0, maxReportCases);
  };
  return {
    collect: async function* (cases: AsyncIterable<CaseRuns>): AsyncGenerator<CaseRuns> {
      for await (const runs of cases) {
        const reportCase = toReportCase(runs);
        if (reportCase) {
          all += 1;
          drafts.push(toDraft(reportCase));
          if (drafts.length >= 2 * maxReportCases) trim();
        }
        yield runs;
      }
    },
    take: (): { shown: DraftCase[]; leftOut: number } => {
      trim();
      return { shown: drafts, leftOut: all - drafts.length };
    },
  };
}

function byChange({ reportCase: one }: DraftCase, { reportCase: other }: DraftCase): number {
  return other.change - one.change || one.position - other.position;
}

function toTally(cases: ReportCase[]): BuiltReport['tally'] {
  const notRun = cases.filter(({ lanes }) => lanes.candidate?.error != null).length;
  return { cases: cases.length, notRun, failed: cases.filter(isFailed).length - notRun };
}

interface ReportSource {
  replay: Replay;
  summary: ReplaySummary;
  margins: GivenMargins | undefined;
}

function toHead({ replay, summary, margins }: ReportSource, casesLeftOut: number): ReportHead {
  const { lanes, schemaVersion, judgement: tested, ...sums } = summary;
  const judgement = toJudgement(tested, replay.input, margins);
  const passed = judgement.metrics.find(({ name }) => name === 'passed');
  const rates = { original: null, baseline: passed?.first ?? null, candidate: passed?.second ?? null };
  // A stored summary has lost the order of its fields.
  const inOrder = laneNames.flatMap((name) => {
    const lane = lanes[name];
    return lane ? [[name, { ...lane, passRate: rates[name] }] as const] : [];
  });
  const calls = Object.fromEntries(callAnswers.map((answer) => [answer, sums.calls[answer]]));
  return {
    schemaVersion,
    partial: replay.settledAt === null,
    replay,
    summary: { ...sums, calls: calls as ReportHead['summary']['calls'] },
    lanes: Object.fromEntries(inOrder),
    judgement,
    casesLeftOut,
  };
}

/**
 * Returns the judgement of a report from the tests that a summary holds, the pass rate first, then the scores. Its verdicts follow from the margins, so that a report
 * may have other ones than its replay.
 */
function toJudgement(
  { metrics }: Pick<ReplaySummary['judgement'], 'metrics'>,
  { baseline, margins: ofReplay }: Pick<ReplayInput, 'baseline' | 'margins'>,
  margins?: GivenMargins,
): ReportHead['judgement'] {
  const used = toMargins(margins, toMargins(ofReplay));
  const judged = metrics
    .filter(({ name }) => baseline || !measuredByRuns.includes(name))
    .toSorted((one, other) => toRank(one.name) - toRank(other.name))
    .map((metric) => ({
      ...metric,
      margin: toMargin(metric, used),
      verdict: toMetricVerdict(metric, used),
    }));
  return {
    metrics: judged,
    verdict: toOverallVerdict(judged),
    leftOut: baseline ? [] : measuredByRuns.map((name) => ({ name, reason: leftOutReason })),
  };
}
