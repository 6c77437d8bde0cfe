import { z } from 'zod';
import { actionStatuses, deciderSchema, pendingActionSchema } from './action.ts';
import { actorRefSchema } from './actor.ts';
import { creditTextSchema } from './credits.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';
import { responseSchemaSchema } from './response-schema.ts';
import { messageContentSchema } from './message-part.ts';
import { stuckSchema } from './stuck-workflow.ts';
import { turnOutcomes, turnStatuses } from './turn-status.ts';
import { personNameSchema } from './person-name.ts';
import { workflowLinkSchema } from './workflow-link.ts';

/**
 * The handling of a message that is sent while a turn runs or waits in its conversation: `enqueue` makes it the next turn,
 * `steer` gives it to the turn that runs, `interrupt` cancels that turn first, and `rollback` also hides it from the model.
 */
export const busyModes = ['reject', 'enqueue', 'steer', 'interrupt', 'rollback'] as const;

/** A message to an agent. */
export const turnInputSchema = z.strictObject({
  message: messageContentSchema,
  onBusy: z.enum(busyModes).default('reject'),
  /** Ends the model call that runs, so that the model is asked again with a message that steers. @default false */
  now: z.boolean().optional(),
  /** The message is refused when another turn than this one, or none, runs or waits in the conversation. */
  expectedTurnId: z.uuid().optional(),
  /** Lets `rollback` hide a turn whose tool calls have changed something, or may have. */
  confirmRollback: z.boolean().optional(),
  /** The person who sends the message, when the API key acts for several. */
  actingFor: personNameSchema.optional(),
  responseSchema: responseSchemaSchema.optional(),
});
export type TurnInput = z.infer<typeof turnInputSchema>;

/**
 * The status of a tool call: `unknown` when it was interrupted and must not be repeated, `skipped` when a message of the
 * user came before it began.
 */
export const toolCallStatuses = [
  'requested',
  'started',
  'succeeded',
  'failed',
  'unknown',
  'blocked',
  'skipped',
] as const;
export type ToolCallStatus = (typeof toolCallStatuses)[number];

/** Whether a call with an unknown outcome waits for another attempt, has got its outcome by one, or stays unknown. */
export const settleStates = ['waiting', 'settled', 'given_up'] as const;
export type SettleState = (typeof settleStates)[number];

/**
 * Where the result of a call came from that did not run here: a copy of its original, an edited copy, the recorded call with
 * the same arguments, the nearest one of the same tool, a result that is stored in the conversation; `blocked`, `refused` and
 * `missed` calls have none.
 */
export const recordedAnswers = [
  'copy',
  'edited',
  'exact',
  'nearest',
  'stored',
  'blocked',
  'refused',
  'missed',
] as const;
export type RecordedAnswer = (typeof recordedAnswers)[number];

/** Token counts, in the kinds that vendors price separately. */
export const usageSchema = z.object({
  inputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  outputTokens: z.int(),
  reasoningTokens: z.int(),
  /** True when the vendor has not reported all of the counts: the missing ones are estimates of Holdfast. */
  isEstimated: z.boolean().optional(),
});

/** A failure as the API shows it. */
export const errorInfoSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: jsonValueSchema.optional(),
});

/** The decision about a tool call that needed an approval; `decidedBy` is null while it is pending. */
const callDecisionSchema = z.object({
  actionId: z.string(),
  status: z.enum(actionStatuses),
  decidedBy: deciderSchema.nullable(),
});
export type CallDecision = z.infer<typeof callDecisionSchema>;

/** One tool call of a turn as the API shows it; `result` is the stored text, at most 256 KiB. */
export const toolCallSchema = z.object({
  id: z.string(),
  iteration: z.int(),
  index: z.int(),
  name: z.string(),
  type: z.string(),
  status: z.enum(toolCallStatuses),
  arguments: jsonObjectSchema.nullable(),
  result: z.string().nullable(),
  resultTruncated: z.boolean(),
  /** The parts of the result, with ids of stored files in place of binary data; null when the result is text only. */
  content: jsonValueSchema.nullable(),
  /** The turn that runs the call of another agent. */
  childTurnId: z.string().nullable(),
  /** Null for a call that ran in this turn. */
  answeredBy: z.enum(recordedAnswers).nullable(),
  /** Null for a call that needed no approval. */
  approval: callDecisionSchema.nullable(),
  error: errorInfoSchema.nullable(),
  attempts: z.int(),
  /** Whether a call with an unknown outcome is made again after its turn; null for every other call. */
  settling: z.enum(settleStates).nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  durationMs: z.int().nullable(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A turn without its tool calls, as the API answers a request that starts one. */
export const turnSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  agentId: z.string(),
  agentVersionId: z.string(),
  /** The id of the turn whose tool call started this turn; null for turns that a client started. */
  parentTurnId: z.string().nullable(),
  /** The sender of the message; null for a turn that a tool call started. */
  startedBy: actorRefSchema.nullable(),
  /** The id of the user's message. */
  messageId: z.string().nullable(),
  /** The id of the turn that took the message of a `steered` turn, and answers it. */
  steeredInto: z.string().nullable(),
  /** The turn whose recorded results answer the tool calls of this one; null for a turn whose tools run. */
  recordedFrom: z.string().nullable(),
  /** Whether later turns do not see this one. */
  rolledBack: z.boolean(),
  status: z.enum(turnStatuses),
  outcome: z.enum(turnOutcomes).nullable(),
  /** The final text of a completed turn; for other outcomes a sentence that explains the outcome. */
  answer: z.string().nullable(),
  /** The answer as an object that satisfies the `responseSchema` of the turn; null without one, and without an answer. */
  answerJson: jsonObjectSchema.nullable(),
  error: errorInfoSchema.nullable(),
  iterations: z.int(),
  usage: usageSchema,
  /** The cost of the turn's own calls, in millionths of a US dollar. Turns below it have their own. */
  credits: creditTextSchema,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  deadlineAt: z.string().nullable(),
  settledAt: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;

/** The maximum number of characters of `messagePreview`. */
export const messagePreviewCharacters = 200;

/** A turn in a list of the workspace. */
export const listedTurnSchema = turnSchema.extend({
  /** The beginning of the message, at most 200 characters with `…` at the end of one that is cut; null without text. */
  messagePreview: z.string().nullable(),
});
export type ListedTurn = z.infer<typeof listedTurnSchema>;

/** An attempt of a step that failed and was made again, if the step had an attempt left. */
export const failedAttemptSchema = z.object({
  iteration: z.int(),
  /** The index of the tool call; null for a model call. */
  index: z.int().nullable(),
  attempt: z.int(),
  error: errorInfoSchema,
  failedAt: z.string(),
});
export type FailedAttempt = z.infer<typeof failedAttemptSchema>;

/** A turn with its tool calls, and the first 50 attempts that failed. */
export const turnDetailsSchema = turnSchema.extend({
  /** The schema that the final answer satisfies; null when it may be any text. */
  responseSchema: jsonObjectSchema.nullable(),
  toolCalls: z.array(toolCallSchema),
  failedAttempts: z.array(failedAttemptSchema),
  /** The actions that the turn, or a turn that its tool calls started, waits for. */
  pendingActions: z.array(pendingActionSchema),
  stuck: stuckSchema.optional(),
});
export type TurnDetails = z.infer<typeof turnDetailsSchema>;

/** A turn with its tool calls, and where its workflow is. */
export const linkedTurnSchema = turnDetailsSchema.extend(workflowLinkSchema.shape);
export type LinkedTurn = z.infer<typeof linkedTurnSchema>;
