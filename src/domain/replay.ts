import { z } from 'zod';
import { agentFields } from './agent.ts';
import { actorRefSchema } from './actor.ts';
import { tagSchema } from './conversation.ts';
import { dateTimeSchema } from './date-time.ts';
import { jsonObjectSchema } from './json-value.ts';
import { pricesSchema } from './prices.ts';
import { rulesSchema } from './rules.ts';
import { stuckSchema } from './stuck-workflow.ts';
import { workflowLinkSchema } from './workflow-link.ts';
import { toolFields } from './tool.ts';
import { toolNameSchema } from './tool-name.ts';
import { errorInfoSchema, toolCallStatuses, usageSchema } from './turn.ts';
import { turnOutcomes } from './turn-status.ts';

/** The status of a replay: `stopped` when it reached its ceiling. */
export const replayStatuses = ['running', 'paused', 'completed', 'stopped', 'cancelled', 'failed'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

/** The maximum number of cases of one replay. */
export const maxReplayCases = 100_000;

const replayable = ['completed', 'failed', 'iteration_limit'] as const;

/** The recorded turns that a replay runs again: those that meet all of the conditions. */
const replaySelectionSchema = z.strictObject({
  agentId: z.uuid().optional(),
  conversationIds: z.array(z.uuid()).min(1).max(10_000).optional(),
  turnIds: z.array(z.uuid()).min(1).max(10_000).optional(),
  /** The time in which the turns were started; `to` is not part of it. */
  from: dateTimeSchema.optional(),
  to: dateTimeSchema.optional(),
  outcomes: z
    .array(z.enum(turnOutcomes))
    .min(1)
    .default([...replayable]),
  /** The name of a tool that the turn has called. */
  tool: toolNameSchema.optional(),
  /** A tag of the conversation. */
  tag: tagSchema.optional(),
  /** A random sample of so many; the same seed over the same turns gives the same sample. */
  sample: z.strictObject({ size: z.int().min(1).max(maxReplayCases), seed: z.int().default(1) }).optional(),
});

/** Settings of the sampling of a model. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
});
export type Sampling = z.infer<typeof samplingSchema>;

/** The definition of a tool as a model gets it. */
const toolDefinition = { description: z.string().max(4000), schema: jsonObjectSchema };

/** A change of the tools of an agent version: what it adds can be answered from recordings only. */
export const toolChangesSchema = z.strictObject({
  remove: z.array(toolNameSchema).max(200).default([]),
  /** By the name that the tool has now. */
  change: z
    .record(toolNameSchema, z.strictObject({ name: toolNameSchema, ...toolDefinition }).partial())
    .default({}),
  add: z
    .array(z.strictObject({ name: toolNameSchema, ...toolDefinition }))
    .max(200)
    .default([]),
});
export type ToolChanges = z.infer<typeof toolChangesSchema>;

const { model, instructions, toolCallsInText, modelConnectionId, fallbackModels, modelSettings } =
  agentFields;
const { compaction, compactionThreshold, summaryModel, limits } = agentFields;

/** An agent that is tried and stored nowhere else. Its calls get recorded answers only. */
const candidateAgentSchema = z.strictObject({
  ...{ model, instructions, limits, toolCallsInText, modelConnectionId, fallbackModels, modelSettings },
  ...{ compaction, compactionThreshold, summaryModel },
  rules: rulesSchema,
  /** Checked as the tools of agents are. */
  tools: z
    .array(z.strictObject({ type: z.string().max(50), ...toolFields, config: jsonObjectSchema }))
    .max(1000),
});
export type CandidateAgent = z.infer<typeof candidateAgentSchema>;

/** The agent version that is tried, and what is different from it. Without a version it is that of each recorded turn. */
export const replayCandidateSchema = z.strictObject({
  agentVersionId: z.uuid().optional(),
  /** An agent in place of a version, such as one of a branch that is not pushed. */
  agent: candidateAgentSchema.optional(),
  model: agentFields.model.optional(),
  /** The connection whose key the model is called with; null for the operator's. @default that of the version */
  modelConnectionId: z.uuid().nullable().optional(),
  instructions: agentFields.instructions.optional(),
  sampling: samplingSchema.optional(),
  tools: toolChangesSchema.optional(),
  rules: rulesSchema.optional(),
});
export type ReplayCandidate = z.infer<typeof replayCandidateSchema>;

/** Where a tool call of a replay gets its answer from. */
const answerSources = ['recorded', 'live'] as const;

/**
 * How the tool calls of two runs relate: the same, in another order, with other arguments, fewer or more of them, or none of
 * these.
 */
export const trajectories = [
  'exact',
  'unordered',
  'arguments_differ',
  'subset',
  'superset',
  'different',
] as const;
export type Trajectory = (typeof trajectories)[number];

/** The conditions under which a case passes. Its outcome has to be that of the recorded turn in any case. */
export const passRuleSchema = z.strictObject({
  trajectories: z.array(z.enum(trajectories)).min(1).default(['exact', 'unordered']),
  /** How the answer has to agree with the recorded one; `normalised` ignores case, punctuation and spaces. */
  answer: z.enum(['any', 'normalised', 'exact']).default('any'),
});
export type PassRule = z.infer<typeof passRuleSchema>;

const shareSchema = z.number().min(0).max(1);

/**
 * The smallest differences that matter, as shares: of the baseline for cost and duration, of all cases for the pass rate, and
 * of the whole score. A difference of cost or duration that is not above its margin is no verdict. For all metrics a replay is
 * `inconclusive` that cannot exclude a change for the worse above the margin.
 */
const marginSchemas = {
  passed: shareSchema,
  scores: shareSchema,
  costUsd: z.number().min(0).max(100),
  durationMs: z.number().min(0).max(100),
};
const marginsSchema = z.strictObject(marginSchemas).partial();
export type Margins = Record<keyof typeof marginSchemas, number>;

/** The margins of a replay that does not set them. */
const defaultMargins: Margins = { passed: 0.1, scores: 0.1, costUsd: 0.1, durationMs: 0.1 };

/** Margins of which some may be left out. */
export type GivenMargins = z.infer<typeof marginsSchema>;

/** Returns margins with those of others for each one that is left out. */
export function toMargins(given: GivenMargins = {}, others: Margins = defaultMargins): Margins {
  return {
    passed: given.passed ?? others.passed,
    scores: given.scores ?? others.scores,
    costUsd: given.costUsd ?? others.costUsd,
    durationMs: given.durationMs ?? others.durationMs,
  };
}

/**
 * The candidate against the baseline: `inconclusive` when the cases are too few to exclude a change for the worse that matters, `no
 * evidence` when they exclude it.
 */
export const verdicts = ['better', 'worse', 'inconclusive', 'no evidence'] as const;
export type Verdict = (typeof verdicts)[number];

/** A run against the recorded one, in the eyes of a judge. */
export const judgeVerdicts = ['better', 'worse', 'tie'] as const;

/** The order to replay recorded turns. */
export const replayInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).default('Replay'),
  selection: replaySelectionSchema,
  candidate: replayCandidateSchema.default({}),
  /**
   * `turns` replays each turn on the recorded history before it; `conversations` replays whole conversations, in which the
   * history is what the replay itself has said.
   */
  mode: z.enum(['turns', 'conversations']).default('turns'),
  /** Where the calls of single tools get their answers from, by name. @default recorded */
  toolAnswers: z.record(toolNameSchema, z.enum(answerSources)).default({}),
  /** The treatment of a call without a recorded answer. */
  onMiss: z.enum(['stop', 'stub', 'live_if_read_only']).default('stop'),
  /** The text that a stub answers with, by the name of the tool. */
  stubs: z.record(toolNameSchema, z.string().max(32_768)).default({}),
  /** Runs the recorded version again too, so that the noise of the model is known. */
  baseline: z.boolean().default(true),
  repeats: z.int().min(1).max(20).default(1),
  pass: passRuleSchema.prefault({}),
  /** The maximum cost of all model calls together; the replay stops in order once it is reached. */
  ceiling: z
    .strictObject({ costUsd: z.number().positive().optional(), tokens: z.int().positive().optional() })
    .default({}),
  modelCallsPerMinute: z.int().min(1).max(1_000_000).optional(),
  /** How many cases run at the same time. */
  concurrency: z.int().min(1).max(32).default(4),
  /** Another model that says which of two answers is better, the recorded one or that of a run. */
  judge: z
    .strictObject({
      model: agentFields.model,
      modelConnectionId: z.uuid().nullable().optional(),
      rubric: z.string().trim().min(1).max(20_000),
      /** The verdicts of people about the candidate's answers, by the id of the turn; the judge is compared with them. */
      labels: z.record(z.uuid(), z.enum(judgeVerdicts)).default({}),
    })
    .optional(),
  /** US dollars for a million tokens, by model; they replace those of the workspace and of the price list. */
  prices: pricesSchema.default({}),
  /** @default 10 % for each; of the baseline, of the pass rate in points, and of scores */
  margins: marginsSchema.optional(),
  /** Has no effect: the seed of the intervals is made from the data, so that the same data get the same verdict. */
  seed: z.int().optional().meta({ deprecated: true }),
});
export type ReplayInput = z.infer<typeof replayInputSchema>;

/** The runs of a case: as it was recorded, by the recorded version again, and by the candidate. */
export const lanes = ['original', 'baseline', 'candidate'] as const;
export type Lane = (typeof lanes)[number];
export const runLanes = ['baseline', 'candidate'] as const;
export type RunLane = (typeof runLanes)[number];

/**
 * Where the answer of a replayed call came from: the recorded call with the same arguments, the nearest one of the same
 * tool, a result that is stored in the conversation, a stub, or the tool itself; `blocked` by a rule, `refused` for arguments
 * or a tool that cannot be called, `missed` without any.
 */
export const callAnswers = [
  'exact',
  'nearest',
  'stored',
  'stub',
  'live',
  'blocked',
  'refused',
  'missed',
] as const;
export type CallAnswer = (typeof callAnswers)[number];

const replayedCallSchema = z.object({
  name: z.string(),
  arguments: jsonObjectSchema.nullable(),
  /** Null in the lane `original`. */
  answeredBy: z.enum(callAnswers).nullable(),
  /** The recorded call whose answer it got. */
  recordedCallId: z.string().nullable(),
  status: z.enum(toolCallStatuses),
  /** The beginning of the result, or of the error. */
  result: z.string(),
  /** The rule that blocked it. */
  rule: z.string().nullable(),
  /** The conditions for an approval that its arguments match. Missing when the call would need no approval. */
  asks: z.array(z.string()).optional(),
});
export type ReplayedCall = z.infer<typeof replayedCallSchema>;

const replayedStepSchema = z.object({
  iteration: z.int(),
  text: z.string(),
  calls: z.array(replayedCallSchema),
});
export type ReplayedStep = z.infer<typeof replayedStepSchema>;

/** The outcome of a replayed turn: `missed` when a call had no recorded answer and the turn stopped there. */
export const replayedOutcomes = [...turnOutcomes, 'missed'] as const;

export const replayedTurnSchema = z.object({
  turnId: z.string(),
  message: z.string(),
  outcome: z.enum(replayedOutcomes),
  answer: z.string(),
  /** The answer as an object, of a turn with a `responseSchema`; runs of older versions do not have it. */
  answerJson: jsonObjectSchema.nullable().optional(),
  error: errorInfoSchema.nullable(),
  steps: z.array(replayedStepSchema),
  /** Recorded calls that the run never asked for. */
  unasked: z.array(z.object({ toolCallId: z.string(), name: z.string() })),
  usage: usageSchema,
  /** Null when the price of the model is not known. */
  costUsd: z.number().nullable(),
  durationMs: z.number(),
});
export type ReplayedTurn = z.infer<typeof replayedTurnSchema>;

/** One run of a case in one lane: a turn, or all turns of a conversation. */
export const replayRunSchema = z.object({ turns: z.array(replayedTurnSchema) });
export type ReplayRun = z.infer<typeof replayRunSchema>;

/** The connections and credentials that a run has used besides the database and the model; none for a replay from recordings. */
export const outsideSchema = z.object({
  connectionsOpened: z.int(),
  credentialsDecrypted: z.int(),
});
export type Outside = z.infer<typeof outsideSchema>;

/** The first step at which a run differs from the recorded one. */
export const differenceSchema = z.object({
  turn: z.int(),
  iteration: z.int(),
  kind: z.enum([
    'tool_removed',
    'tool_added',
    'tool_changed',
    'arguments',
    'answered_early',
    'answered_late',
    'rule',
    'refused',
    'outcome',
    'answer',
  ]),
  expected: z.string(),
  found: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** The verdict of a judge that saw a run in both orders; orders that disagree (`flipped`) make it a tie. */
export const judgedSchema = z.object({
  verdict: z.enum(judgeVerdicts),
  flipped: z.boolean(),
  reasons: z.array(z.string()),
  /** Names the instructions and the rubric of the judge. */
  promptHash: z.string(),
  usage: usageSchema,
  costUsd: z.number().nullable(),
});
export type JudgeVerdict = (typeof judgeVerdicts)[number];
export type Judged = z.infer<typeof judgedSchema>;

/** A call that was answered when it was recorded, and that is refused, blocked or without an answer in a run. */
export const brokenCallSchema = z.object({
  turn: z.int(),
  iteration: z.int(),
  name: z.string(),
  answeredBy: z.enum(callAnswers),
  /** The beginning of the error. */
  reason: z.string(),
});
export type BrokenCall = z.infer<typeof brokenCallSchema>;

/** How a run compares with the recorded one. */
export const comparisonSchema = z.object({
  passed: z.boolean(),
  trajectory: z.enum(trajectories),
  firstDifference: differenceSchema.nullable(),
  /** A run with such a call has not passed. Runs of older versions do not have it. */
  brokenCalls: z.array(brokenCallSchema).optional(),
  /** Between 0 and 1, by the name of the score. */
  scores: z.record(z.string(), z.number()),
  /** Null without a judge, and when the judge did not answer as asked. */
  judged: judgedSchema.nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A replay as the API shows it. */
export const replaySchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(replayStatuses),
  input: replayInputSchema,
  /** Null until the cases are selected. */
  cases: z.int().nullable(),
  /** All runs of all cases; `failed` could not be run, and count as not passed. */
  runs: z.object({ total: z.int().nullable(), done: z.int(), failed: z.int() }),
  spent: z.object({ tokens: z.int(), costUsd: z.number() }),
  startedBy: actorRefSchema.nullable(),
  error: errorInfoSchema.nullable(),
  createdAt: z.string(),
  settledAt: z.string().nullable(),
  /** Shown by the replay itself, not in lists. */
  stuck: stuckSchema.optional(),
});
export type Replay = z.infer<typeof replaySchema>;

/** A replay, and where its workflow is. */
export const linkedReplaySchema = replaySchema.extend(workflowLinkSchema.shape);
