import { z } from 'zod';
import { budgetPeriods, budgetScopes } from './budget.ts';
import { compactionKinds } from './compaction.ts';
import { creditTextSchema } from './credits.ts';
import { actionKinds, actionStatuses, deciderSchema } from './action.ts';
import { creditsSchema, toolTypeSchema } from './tool.ts';
import { jsonObjectSchema } from './json-value.ts';
import { busyModes, errorInfoSchema, usageSchema } from './turn.ts';
import { turnOutcomes } from './turn-status.ts';

const toolCallFields = {
  toolCallId: z.string(),
  iteration: z.int(),
  index: z.int(),
  name: z.string(),
};

/** The id of a user's message, and its beginning. */
const messageFields = { messageId: z.string(), message: z.string() };

/** A place in an answer, and what is wrong there. */
export const fieldErrorSchema = z.object({ field: z.string(), message: z.string() });

const actionFields = { actionId: z.string(), kind: z.enum(actionKinds) };

/** The payload of each type of event in the log of a conversation. */
export const eventPayloads = {
  /** Written by older versions in place of `message.queued`. */
  'turn.queued': z.object({ message: z.string() }),
  'message.queued': z.object({ ...messageFields, onBusy: z.enum(busyModes) }),
  'message.steered': z.object({ ...messageFields, iteration: z.int(), steeredTurnId: z.string() }),
  'message.promoted': z.object({ messageId: z.string().nullable() }),
  'message.withdrawn': z.object({ messageId: z.string() }),
  'turn.started': z.object({ message: z.string() }),
  /** A model was unreachable, and the next one of the agent was called. */
  'model.passed': z.object({
    iteration: z.int(),
    model: z.string(),
    next: z.string(),
    error: errorInfoSchema,
  }),
  /** A message of the user has ended a model call, which was made again with it. The usage is an estimate. */
  'model.cut_short': z.object({ iteration: z.int(), model: z.string(), usage: usageSchema }),
  /** The context had become too long: a model call after this event sees less of the conversation. */
  'context.compacted': z.object({
    iteration: z.int(),
    kind: z.enum(compactionKinds),
    /** The first and the last turn that it concerns; null for one that was removed since. */
    fromTurnId: z.string().nullable(),
    throughTurnId: z.string().nullable(),
    /** How many results of tools are references now. */
    references: z.int(),
    /** The estimated tokens of the model call without it, and with it. */
    tokensBefore: z.int(),
    tokensAfter: z.int(),
    /** The summary, and the message that has it; null when none was made. */
    messageId: z.string().nullable(),
    text: z.string().nullable(),
    model: z.string().nullable(),
    usage: usageSchema.optional(),
    /** The cost of the summary, in credits; null for a model without a price. */
    credits: creditTextSchema.nullable(),
    /** The reason why turns were left out in place of being summarized. */
    error: errorInfoSchema.nullable(),
  }),
  'message.created': z.object({
    messageId: z.string(),
    iteration: z.int(),
    /** The attempt at the answer, which its pieces name too. Older events, and copies, do not have it. */
    attempt: z.int().optional(),
    text: z.string(),
    /** The reasoning before the text, when the vendor shows it. */
    reasoning: z.string().optional(),
    model: z.string(),
    usage: usageSchema,
    /** The cost of the model call, in credits; null for a model without a price. Older events do not have it. */
    credits: creditTextSchema.nullable().optional(),
    toolCalls: z.array(
      z.object({
        ...toolCallFields,
        type: toolTypeSchema.nullable(),
        arguments: jsonObjectSchema.nullable(),
      }),
    ),
  }),
  /** The answer does not satisfy the `responseSchema` of its turn, and the model is asked once more. */
  'answer.rejected': z.object({
    messageId: z.string(),
    iteration: z.int(),
    errors: z.array(fieldErrorSchema),
  }),
  'tool.started': z.object({ ...toolCallFields, attempt: z.int() }),
  'tool.executed': z.object({
    ...toolCallFields,
    durationMs: z.int(),
    resultPreview: z.string(),
    creditsUsed: creditsSchema.optional(),
  }),
  'tool.failed': z.object({
    ...toolCallFields,
    durationMs: z.int(),
    error: errorInfoSchema,
    creditsUsed: creditsSchema.optional(),
  }),
  'tool.blocked': z.object({ ...toolCallFields, rule: z.string(), error: errorInfoSchema }),
  'tool.unknown': z.object({ ...toolCallFields, error: errorInfoSchema }),
  'tool.skipped': z.object({ ...toolCallFields, error: errorInfoSchema }),
  /** A call with an unknown outcome was made again after its turn: it succeeded, or its outcome stays unknown. */
  'tool.settled': z.object({
    ...toolCallFields,
    status: z.enum(['succeeded', 'unknown']),
    attempts: z.int(),
    error: errorInfoSchema.optional(),
  }),
  'action.requested': z.object({
    ...toolCallFields,
    ...actionFields,
    arguments: jsonObjectSchema,
    expiresAt: z.string(),
    /** The conditions of `approvalWhen` that the arguments match. */
    askedBecause: z.array(z.string()).optional(),
    /** The fields of a `question`. */
    question: z.string().optional(),
    schema: jsonObjectSchema.optional(),
    options: z.array(z.string()).nullable().optional(),
    server: z.string().nullable().optional(),
    url: z.string().nullable().optional(),
  }),
  'action.reminded': z.object({ ...actionFields, expiresAt: z.string() }),
  'action.decided': z.object({
    ...actionFields,
    status: z.enum(actionStatuses),
    decidedBy: deciderSchema,
    reason: z.string().nullable(),
    approvedArguments: jsonObjectSchema.nullable(),
  }),
  'action.expired': z.object(actionFields),
  'action.cancelled': z.object(actionFields),
  /** A remembered approval lets a call run that would have waited for a person. */
  'action.granted': z.object({
    ...toolCallFields,
    ...actionFields,
    arguments: jsonObjectSchema,
    decidedBy: deciderSchema,
  }),
  /** A budget of the workspace is spent up to 80 %; written once in each of its periods. */
  'budget.warning': z.object({
    budgetId: z.string(),
    scope: z.enum(budgetScopes),
    subject: z.string().nullable(),
    period: z.enum(budgetPeriods),
    credits: creditTextSchema,
    spent: creditTextSchema,
  }),
  'turn.settled': z.object({
    outcome: z.enum(turnOutcomes),
    answer: z.string(),
    /** The answer as an object, of a turn with a `responseSchema`. */
    answerJson: jsonObjectSchema.optional(),
    error: errorInfoSchema.nullable(),
    iterations: z.int(),
    usage: usageSchema,
  }),
} as const;

/** A type of event that is stored in the log. */
export type EventType = keyof typeof eventPayloads;

/** The payload of an event of one type. */
export type EventPayload<Type extends EventType> = z.infer<(typeof eventPayloads)[Type]>;

/** An event before it has a number. */
export type NewEvent = { [Type in EventType]: { type: Type; payload: EventPayload<Type> } }[EventType];

/** One numbered event of a conversation. `seq` starts at 1 and has no gaps. */
export type ConversationEvent = NewEvent & {
  seq: number;
  turnId: string;
  createdAt: string;
};

/**
 * A part of a stream that is not a stored event: a piece of the text of a model while it answers, or `stream.reset`,
 * which makes the pieces of an iteration void because the model is called again.
 */
export type StreamChunk =
  | { type: 'text.delta'; id: string; turnId: string; iteration: number; attempt: number; text: string }
  | { type: 'stream.reset'; id: string; turnId: string; iteration: number; attempt: number };
