import { z } from 'zod';
import { creditTextSchema } from './credits.ts';

/** The fields that costs can be grouped by. */
export const usageGroups = ['agent', 'model', 'conversation', 'user', 'day', 'kind'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The cost of the calls of one group. A field that is not in `groupBy` is null. */
export const usageFiguresSchema = z.object({
  agentId: z.string().nullable(),
  /** Null for tool calls too. */
  model: z.string().nullable(),
  /** The conversation in which the topmost turn ran. */
  conversationId: z.string().nullable(),
  /** The person for whom the turn was started. */
  user: z.string().nullable(),
  /** A day in UTC, such as `2026-01-31`. */
  day: z.string().nullable(),
  /** `model`, `summary`, `tool`, `replay` or `embedding`. */
  kind: z.string().nullable(),
  modelCalls: z.int(),
  /** Tool calls that have a price or reported one. */
  toolCalls: z.int(),
  replayRuns: z.int(),
  /** Batches of the texts of a document, and searches by meaning. */
  embeddingCalls: z.int(),
  /** Model calls that have summarized the beginning of a conversation. */
  summaryCalls: z.int(),
  /** Calls of models without a price, which count as 0 credits. */
  unpricedCalls: z.int(),
  /** Tokens of model calls and summaries of turns that are stored. */
  inputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  outputTokens: z.int(),
  /** The share of the input tokens that vendors have read from their caches, from 0 to 1; null without input. */
  cacheHitRate: z.number().nullable(),
  credits: creditTextSchema,
});
export type UsageFigures = z.infer<typeof usageFiguresSchema>;
