import { z } from 'zod';
import type { AuditDependencies } from '../../audit/audit-dependencies.ts';
import { getToolAnalytics } from '../../audit/get-tool-analytics.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';
import { getModelAnalytics } from './get-model-analytics.ts';
import {
  analyticsGroups,
  modelFiguresSchema,
  modelGroups,
  toolFiguresSchema,
} from '../../../domain/analytics.ts';
import { groupByParameter, timeParameters } from '../../../platform/http/report-query.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { integerParameter } from '../../../platform/http/schemas.ts';

const route = routesOf<AuditDependencies & CreditDependencies>();

const toolQuery = z.strictObject({
  ...timeParameters('Counts calls that ended'),
  groupBy: groupByParameter(analyticsGroups, 'tool'),
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
    'Counts tool calls by group, with their outcomes and durations. The groups with the most calls come first. A key for ' +
    'one person counts the calls in conversations that this person sees.',
  tag: 'analytics',
  right: 'analytics.read',
  query: toolQuery,
  answers: { 200: z.object({ from: z.string(), to: z.string(), tools: z.array(toolFiguresSchema) }) },
  handler: async ({ query, actor, dependencies }) => ({
    status: 200,
    data: await getToolAnalytics(dependencies, actor, query),
  }),
});

const modelQuery = z.strictObject({
  ...timeParameters('Counts calls'),
  groupBy: groupByParameter(modelGroups, 'model'),
  agentId: z.uuid().optional(),
  model: z.string().max(200).optional(),
  limit: integerParameter(1, 1000, 100),
});

const getModelAnalyticsRoute = route({
  method: 'GET',
  path: '/api/analytics/models',
  operationId: 'getModelAnalytics',
  summary: 'Get model analytics',
  description:
    'Counts calls of language models by group: which models answered, how often in place of another one, and how much of ' +
    'the input vendors read from their caches. The groups with the most calls come first. A call counts once, however ' +
    'often it was tried. Calls of replays are not counted. A key for one person counts the calls in conversations that ' +
    'this person sees.',
  tag: 'analytics',
  right: 'analytics.read',
  query: modelQuery,
  answers: { 200: z.object({ from: z.string(), to: z.string(), models: z.array(modelFiguresSchema) }) },
  handler: async ({ query, actor, dependencies }) => ({
    status: 200,
    data: await getModelAnalytics(dependencies, actor, query),
  }),
});

/** The endpoints of analytics. */
export const analyticsRoutes = [getToolAnalyticsRoute, getModelAnalyticsRoute];
