import { z } from 'zod';
import { creditTextSchema } from './credits.ts';
import { usageSchema } from './turn.ts';
import { turnOutcomes } from './turn-status.ts';

/** The fields that figures of tools can be grouped by. */
export const analyticsGroups = ['tool', 'agent', 'day'] as const;
export type AnalyticsGroup = (typeof analyticsGroups)[number];

/** The figures of one group of tool calls. A field that is not in `groupBy` is null. */
export const toolFiguresSchema = z.object({
  /** The name of the tool, or `server:tool` behind the gateway. */
  tool: z.string().nullable(),
  agentId: z.string().nullable(),
  /** A day in UTC, such as `2026-01-31`. */
  day: z.string().nullable(),
  calls: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** Calls whose outcome is unknown: they may have taken effect. */
  unknown: z.int(),
  /** Calls that a rule stopped before they were sent; not part of the success rate. */
  blocked: z.int(),
  /** The share of succeeded calls among those that ran, from 0 to 1; null when none ran. */
  successRate: z.number().nullable(),
  /** Durations of the calls that ran, in milliseconds. */
  p50DurationMs: z.number().nullable(),
  p95DurationMs: z.number().nullable(),
});
export type ToolFigures = z.infer<typeof toolFiguresSchema>;

/** The fields that figures of models can be grouped by. */
export const modelGroups = ['model', 'provider', 'agent', 'day', 'kind'] as const;
export type ModelGroup = (typeof modelGroups)[number];

/** The figures of one group of model calls. A field that is not in `groupBy` is null. */
export const modelFiguresSchema = z.object({
  /** The name of the model that answered, as agents name it. */
  model: z.string().nullable(),
  /** The part of the name before the first `/`. */
  provider: z.string().nullable(),
  agentId: z.string().nullable(),
  /** A day in UTC, such as `2026-01-31`. */
  day: z.string().nullable(),
  /** `model` for a call of a turn, `summary` for one that has summarized the beginning of a conversation. */
  kind: z.string().nullable(),
  /** Calls that were answered. */
  calls: z.int(),
  /** Answered calls of turns in which the model stood in for one before it in the list of the agent. */
  fallbackCalls: z.int(),
  /** How often the model did not answer in a turn, and another one of the agent did. */
  passedOver: z.int(),
  /** Tokens of turns that are stored. */
  ...usageSchema.omit({ isEstimated: true }).shape,
  /** The share of the input tokens that vendors have read from their caches, from 0 to 1; null without input. */
  cacheHitRate: z.number().nullable(),
  /** Calls whose usage the vendor has not reported in full, so that tokens of them are estimates. */
  estimatedCalls: z.int(),
  /** Calls of models without a price, which count as 0 credits. */
  unpricedCalls: z.int(),
  credits: creditTextSchema,
});
export type ModelFigures = z.infer<typeof modelFiguresSchema>;

/** The fields that figures of turns can be grouped by. */
export const turnGroups = ['day', 'agent', 'person', 'outcome'] as const;
export type TurnGroup = (typeof turnGroups)[number];

/** The figures of one group of turns. A field that is not in `groupBy` is null. */
export const turnFiguresSchema = z.object({
  /** The day on which they were created, in UTC, such as `2026-01-31`. */
  day: z.string().nullable(),
  agentId: z.string().nullable(),
  /** The normal form of the name of the person for whom they were started; null for none. */
  person: z.string().nullable(),
  /** How they ended, or `open` for those that have not ended. */
  outcome: z.enum([...turnOutcomes, 'open']).nullable(),
  turns: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timedOut: z.int(),
  iterationLimit: z.int(),
  /** Messages that another turn took, which answers them. */
  steered: z.int(),
  /** Turns that have not ended. */
  open: z.int(),
  /** Durations of turns that have ended, from when they were created, in milliseconds; without those that were `steered`. */
  p50DurationMs: z.number().nullable(),
  p95DurationMs: z.number().nullable(),
  ...usageSchema.omit({ isEstimated: true }).shape,
  /** What their own calls have cost. Turns below them have their own. */
  credits: creditTextSchema,
});
export type TurnFigures = z.infer<typeof turnFiguresSchema>;
