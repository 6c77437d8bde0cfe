import { z } from 'zod';
import { maxMessageCharacters } from './conversation.ts';
import { jsonObjectSchema, jsonValueSchema } from './tool.ts';
import { turnOutcomes, turnStatuses } from './turn-status.ts';

/** What happens to a turn that is started while another runs in its conversation. */
export const turnInputSchema = z.strictObject({
  message: z.string().min(1).max(maxMessageCharacters),
  onBusy: z.enum(['reject', 'enqueue']).default('reject'),
});
export type TurnInput = z.infer<typeof turnInputSchema>;

/** The status of a tool call: `unknown` when it broke off and must not be repeated. */
export const toolCallStatuses = [
  'requested',
  'started',
  'succeeded',
  'failed',
  'unknown',
  'blocked',
] as const;
export type ToolCallStatus = (typeof toolCallStatuses)[number];

/** Token counts in the buckets that vendors price apart. */
export const usageSchema = z.object({
  inputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  outputTokens: z.int(),
  reasoningTokens: z.int(),
});

/** A failure as the API shows it. */
export const errorInfoSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: jsonValueSchema.optional(),
});

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
  /** The parts of the result, with ids of stored files in place of binary bodies; null when the result is text only. */
  content: jsonValueSchema.nullable(),
  /** The turn that a call of another agent runs as. */
  childTurnId: z.string().nullable(),
  error: errorInfoSchema.nullable(),
  attempts: z.int(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  durationMs: z.int().nullable(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A turn without its tool calls, as the API returns it when it was started. */
export const turnSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  agentId: z.string(),
  agentVersionId: z.string(),
  /** The turn whose tool call this one answers; null for turns that were started from outside. */
  parentTurnId: z.string().nullable(),
  status: z.enum(turnStatuses),
  outcome: z.enum(turnOutcomes).nullable(),
  /** The final text, or for every other outcome a sentence that says what happened. */
  answer: z.string().nullable(),
  error: errorInfoSchema.nullable(),
  iterations: z.int(),
  usage: usageSchema,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  deadlineAt: z.string().nullable(),
  settledAt: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;

/** A turn with its tool calls. */
export const turnDetailsSchema = turnSchema.extend({ toolCalls: z.array(toolCallSchema) });
export type TurnDetails = z.infer<typeof turnDetailsSchema>;
