import { z } from 'zod';
import { getToolAnalytics } from '../../audit/get-tool-analytics.ts';
import { analyticsGroups, toolFiguresSchema, type AnalyticsGroup } from '../../domain/analytics.ts';
import { route } from '../server/route.ts';
import { integerParameter } from '../server/schemas.ts';

const group = `(?:${analyticsGroups.join('|')})`;
const groupList = new RegExp(`^${group}(?:,${group})*$`);
const listedGroups = `one or more of ${analyticsGroups.join(', ')}, with commas between them`;

const analyticsQuery = z.strictObject({
  from: z.iso
    .datetime()
    .optional()
    .describe('Counts calls that ended at this time or later. The default is 30 days before `to`'),
  to: z.iso.datetime().optional().describe('Counts calls that ended before this time. The default is now'),
  groupBy: z
    .string()
    .regex(groupList, `expected ${listedGroups}`)
    .default('tool')
    .transform((text) => text.split(',') as AnalyticsGroup[])
    .describe(`Groups by ${listedGroups}`),
  agentId: z.uuid().optional(),
  tool: z.string().max(200).optional(),
  limit: integerParameter(1, 1000, 100),
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
