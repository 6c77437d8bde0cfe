import { z } from 'zod';
import {
  brokenCallSchema,
  callAnswers,
  comparisonSchema,
  differenceSchema,
  judgedSchema,
  lanes,
  outsideSchema,
  replayedOutcomes,
  replayRunSchema,
  replaySchema,
  trajectories,
  verdicts,
} from './replay.ts';
import { errorInfoSchema, usageSchema } from './turn.ts';

/** The maximum number of cases of one report: those that changed most. The others can be read one by one. */
export const maxReportCases = 5_000;

const counts = z.record(z.string(), z.int());

/** The sums of all runs of one lane. */
const laneSummarySchema = z.object({
  runs: z.int(),
  /** Runs that could not be made; they count as not passed. */
  failed: z.int(),
  passed: z.int(),
  outcomes: counts,
  trajectories: counts,
  ruleBlocks: z.int(),
  /** Calls before which a person would be asked; none are counted for what was recorded. */
  asks: z.int().default(0),
  usage: usageSchema,
  /** Null when the price of a model is not known. */
  costUsd: z.number().nullable(),
  /** The sum over all turns. */
  durationMs: z.number(),
  /** Of the runs that could be made; null without one. */
  durations: z.object({ p50Ms: z.number(), p95Ms: z.number() }).nullable(),
});
export type LaneSummary = z.infer<typeof laneSummarySchema>;

const verdictSchema = z.enum(verdicts);

/** A value with its interval of 95 %; its ends are null when the data do not determine them. */
const estimateSchema = z.object({
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type ReportEstimate = z.infer<typeof estimateSchema>;

const metricSchema = z.object({
  /** `passed`, `costUsd`, `durationMs`, or `scores.` and the name of the score. */
  name: z.string(),
  kind: z.enum(['rate', 'mean']),
  better: z.enum(['higher', 'lower']),
  /** Pairs of runs that have the metric, the conversations that they come from, and the runs that are left out. */
  pairs: z.int(),
  clusters: z.int(),
  missing: z.int(),
  /** The baseline, or the recorded runs where there is no baseline. */
  first: estimateSchema,
  /** The candidate. */
  second: estimateSchema,
  difference: estimateSchema,
  pValue: z.number().nullable(),
  /** Adjusted for the number of metrics, after Holm. */
  adjustedPValue: z.number().nullable(),
  /** The smallest difference that this many cases would have shown in four batches of five. */
  detectableDifference: z.number().nullable(),
  /** The smallest difference that matters, in the unit of the metric. */
  margin: z.number(),
  verdict: verdictSchema,
});
export type ReportMetric = z.infer<typeof metricSchema>;

const judgementSchema = z.object({ metrics: z.array(metricSchema), verdict: verdictSchema });

/** Cases and tool calls that were right before and are wrong now, whether or not chance can explain them. */
const changesSchema = z.object({
  /** Cases that the candidate passes less often than the baseline, and more often. */
  regressed: z.int(),
  improved: z.int(),
  /** The positions of the first of the cases that it passes less often. */
  regressedPositions: z.array(z.int()),
  /** Tool calls that were answered when recorded and are refused, blocked or without an answer now, also by tool. */
  brokenCalls: z.int(),
  brokenCases: z.int(),
  brokenTools: counts,
});
export type ReplayChanges = z.infer<typeof changesSchema>;

/** The verdicts of a judge about the runs of the candidate, and how often it contradicted itself and people. */
const judgeSummarySchema = z.object({
  better: z.int(),
  worse: z.int(),
  tie: z.int(),
  /** Runs of which it said something else when the answers were shown in the other order; they are ties. */
  flipped: z.int(),
  /** Runs that people have judged too, and those of them on which the judge agrees. */
  labelled: z.int(),
  agreed: z.int(),
  /** The parts of the judged runs, by verdict; null when no run was judged. */
  shares: z.object({ better: estimateSchema, worse: estimateSchema, tie: estimateSchema }).nullable(),
});
export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

/** The sums of a replay. */
export const replaySummarySchema = z.object({
  schemaVersion: z.literal(1),
  cases: z.int(),
  /** The connections and credentials that all runs together have used, counted where sockets are opened and secrets are decrypted. */
  outside: outsideSchema,
  /** How the tool calls of all runs were answered. */
  calls: z.record(z.enum(callAnswers), z.int()),
  /** Recorded calls that a run of the candidate never asked for. */
  unasked: z.int(),
  lanes: z.partialRecord(z.enum(lanes), laneSummarySchema),
  /** The verdicts of the judge about the candidate; null without a judge. */
  judge: judgeSummarySchema.nullable(),
  /** The candidate against the baseline, or against the recorded runs where there is no baseline. */
  judgement: judgementSchema,
  changes: changesSchema,
  /** The runs of the candidate by the kind of their first difference; `none` for those without one. */
  differences: counts,
});
export type ReplaySummary = z.infer<typeof replaySummarySchema>;

/** A run of a case in one lane, as a report shows it; of several repeats the one that changed most. */
const reportRunSchema = z.object({
  /** All repeats of this lane. */
  repeats: z.object({ runs: z.int(), passed: z.int() }),
  passed: z.boolean(),
  /** Why it could not be run. */
  error: errorInfoSchema.nullable(),
  outcome: z.enum(replayedOutcomes).nullable(),
  trajectory: z.enum(trajectories).nullable(),
  firstDifference: differenceSchema.nullable(),
  /** Calls that were answered when recorded and are not any more. */
  brokenCalls: z.array(brokenCallSchema),
  scores: z.record(z.string(), z.number()),
  /** Null without a judge, and when it did not answer as asked. */
  judged: judgedSchema.omit({ usage: true, costUsd: true }).nullable(),
  ruleBlocks: z.array(z.object({ tool: z.string(), rule: z.string() })),
  calls: z.int(),
  /** The final answer; null when it is that of the recorded run. */
  answer: z.string().nullable(),
  usage: usageSchema,
  costUsd: z.number().nullable(),
  durationMs: z.number(),
});
export type ReportRun = z.infer<typeof reportRunSchema>;

/** A piece of text of both answers (0), of the recorded one only (-1), or of the candidate's only (1). */
const diffPartSchema = z
  .tuple([z.literal([-1, 0, 1]), z.string()])
  // Linters and generators of OpenAPI expect `items` in every array, also beside `prefixItems`.
  .meta({ items: {} });
export type DiffPart = z.infer<typeof diffPartSchema>;

/** A case of a report. Long texts are cut, and end with `…`. */
export const reportCaseSchema = z.object({
  position: z.int(),
  conversationId: z.string(),
  turnIds: z.array(z.string()),
  /** How much the candidate differs: from 4, could not be run, down to 0, did the same. */
  change: z.number(),
  /** Whether it could not be run, or has a first difference. */
  changed: z.boolean(),
  /** The turn whose message and answers are shown: that of the first difference, otherwise the last one. */
  turn: z.int(),
  message: z.string(),
  /** The tools that any lane has called. */
  tools: z.array(z.string()),
  lanes: z.partialRecord(z.enum(lanes), reportRunSchema),
  /** The recorded answer and the candidate's word by word; null when they are the same. */
  answerDiff: z.array(diffPartSchema).nullable(),
});
export type ReportCase = z.infer<typeof reportCaseSchema>;

/** A case with all its runs, as they are stored. */
export const replayCaseDetailsSchema = z.object({
  position: z.int(),
  conversationId: z.string(),
  runs: z.array(
    z.object({
      lane: z.enum(lanes),
      repeat: z.int(),
      run: replayRunSchema.nullable(),
      comparison: comparisonSchema.nullable(),
      error: errorInfoSchema.nullable(),
      outside: outsideSchema,
    }),
  ),
});
export type ReplayCaseDetails = z.infer<typeof replayCaseDetailsSchema>;

/** The head of a report: all but its cases. */
const reportHeadSchema = z.object({
  schemaVersion: z.literal(1),
  /** Whether the replay has not ended, so that runs are still missing. */
  partial: z.boolean(),
  replay: replaySchema,
  summary: replaySummarySchema.omit({ schemaVersion: true, lanes: true, judgement: true }),
  lanes: z.partialRecord(
    z.enum(lanes),
    // Null for the recorded runs, which the others are compared with.
    laneSummarySchema.extend({ passRate: estimateSchema.nullable() }),
  ),
  judgement: judgementSchema.extend({
    /** Metrics that are not compared, since both sides were not measured in the same way. */
    leftOut: z.array(z.object({ name: z.string(), reason: z.string() })),
  }),
  /** Cases beyond the maximum that a report shows. */
  casesLeftOut: z.int(),
});
export type ReportHead = z.infer<typeof reportHeadSchema>;

/** The report of a replay; the cases that changed most come first. */
export const replayReportSchema = reportHeadSchema.extend({ cases: z.array(reportCaseSchema) });
export type ReplayReport = z.infer<typeof replayReportSchema>;

/** An event of the stream of a replay. */
export interface ReplayEvent extends Pick<
  z.infer<typeof replaySchema>,
  'status' | 'cases' | 'runs' | 'spent'
> {
  type: 'replay.progress' | 'replay.settled';
  replayId: string;
}
