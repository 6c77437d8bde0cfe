import { createInvalidInput } from '../../domain/errors.ts';
import { z } from 'zod';
import { createToolAnalytics } from '../../db/audit/tool-analytics.ts';
import { analyticsGroups, toolFiguresSchema } from '../../domain/analytics.ts';
import { route } from '../server/route.ts';

const defaultSpanMs = 30 * 24 * 60 * 60 * 1000;

const analyticsQuery = z.strictObject({
  from: z.iso
    .datetime()
    .optional()
    .describe('Calls that ended at this time or later; 30 days before `to` without it'),
  to: z.iso.datetime().optional().describe('Calls that ended before this time; now without it'),
  groupBy: z
    .string()
    .default('tool')
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(analyticsGroups)).min(1))
    .describe('One or more of `tool`, `agent` and `day`, with commas between them'),
  agentId: z.uuid().optional(),
  tool: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const getToolAnalytics = route({
  method: 'GET',
  path: '/api/analytics/tools',
  operationId: 'getToolAnalytics',
  summary: 'Get figures of tool calls',
  description:
    'How often tools were called, how that ended, and how long it took. The groups with the most calls first.',
  tag: 'analytics',
  scope: 'analytics:read',
  query: analyticsQuery,
  answers: { 200: z.object({ from: z.string(), to: z.string(), tools: z.array(toolFiguresSchema) }) },
  handler: async ({ query, inWorkspace }) => {
    const to = query.to ?? new Date().toISOString();
    const from = query.from ?? new Date(Date.parse(to) - defaultSpanMs).toISOString();
    if (Date.parse(from) >= Date.parse(to)) {
      throw createInvalidInput([{ field: 'from', message: 'expected a time before "to"' }]);
    }
    const tools = await inWorkspace((trx) => createToolAnalytics(trx).countToolCalls({ ...query, from, to }));
    return { status: 200, data: { from, to, tools } };
  },
});

/** Figures over what was done. */
export const analyticsRoutes = [getToolAnalytics];
