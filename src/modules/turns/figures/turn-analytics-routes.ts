import { z } from 'zod';
import { turnFiguresSchema, turnGroups } from '../../../domain/analytics.ts';
import { personNameSchema } from '../../../domain/person-name.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { groupByParameter, timeParameters } from '../../../platform/http/report-query.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { integerParameter } from '../../../platform/http/schemas.ts';
import { getTurnAnalytics } from './get-turn-analytics.ts';

const route = routesOf<{ database: Pick<Database, 'inWorkspace'> }>();

const turnQuery = z.strictObject({
  ...timeParameters('Counts turns that were created'),
  groupBy: groupByParameter(turnGroups, 'day'),
  agentId: z.uuid().optional(),
  person: personNameSchema
    .optional()
    .describe('Only turns that were started for this person, and the turns below'),
  limit: integerParameter(1, 1000, 100),
});

const getTurnAnalyticsRoute = route({
  method: 'GET',
  path: '/api/analytics/turns',
  operationId: 'getTurnAnalytics',
  summary: 'Get turn analytics',
  description:
    'Counts turns by group, with their outcomes, durations, tokens and cost. The groups with the most turns come first. Turns ' +
    'that were imported, or copied by a fork, are not counted. A key for one person counts the turns that this person sees. ' +
    'For the models of turns, see `GET /api/usage` and `GET /api/analytics/models`.',
  tag: 'analytics',
  right: 'analytics.read',
  query: turnQuery,
  answers: { 200: z.object({ from: z.string(), to: z.string(), turns: z.array(turnFiguresSchema) }) },
  handler: async ({ query, actor, dependencies }) => ({
    status: 200,
    data: await getTurnAnalytics(dependencies, actor, query),
  }),
});

/** The endpoint of the figures of turns. */
export const turnAnalyticsRoutes = [getTurnAnalyticsRoute];
