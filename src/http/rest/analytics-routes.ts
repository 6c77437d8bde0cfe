import { z } from 'zod';
import { getToolAnalytics } from '../../audit/get-tool-analytics.ts';
import { analyticsGroups, toolFiguresSchema } from '../../domain/analytics.ts';
import { route } from '../server/route.ts';

const analyticsQuery = z.strictObject({
  from: z.iso
    .datetime()
    .optional()
    .describe('Counts calls that ended at this time or later. The default is 30 days before `to`'),
  to: z.iso.datetime().optional().describe('Counts calls that ended before this time. The default is now'),
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

const getToolAnalyticsRoute = route({
  method: 'GET',
  path: '/api/analytics/tools',
  operationId: 'getToolAnalytics',
  summary: 'Get tool analytics',
  description:
    'Counts tool calls by group, with their outcomes and durations. The groups with the most calls come first.',
  tag: 'analytics',
  scope: 'analytics:read',
  query: analyticsQuery,
  answers: { 200: z.object({ from: z.string(), to: z.string(), tools: z.array(toolFiguresSchema) }) },
  handler: async ({ query, principal, dependencies }) => ({
    status: 200,
    data: await getToolAnalytics(dependencies, principal, query),
  }),
});

/** The endpoints of analytics. */
export const analyticsRoutes = [getToolAnalyticsRoute];
