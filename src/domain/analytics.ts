import { z } from 'zod';

/** The fields that figures can be grouped by. */
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
