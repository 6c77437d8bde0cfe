import { z } from 'zod';
import type { CreditDependencies } from '../credit-dependencies.ts';
import { getUsage } from './get-usage.ts';
import { getPrices, setPrices } from '../workspace-prices.ts';
import { pricesSchema } from '../../../domain/prices.ts';
import { usageFiguresSchema, usageGroups } from '../../../domain/usage-report.ts';
import { groupByParameter, timeParameters } from '../../../platform/http/report-query.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { integerParameter, nextCursorSchema, offsetCursor } from '../../../platform/http/schemas.ts';

const route = routesOf<CreditDependencies>();

const usageQuery = z.strictObject({
  ...timeParameters('Sums up calls'),
  groupBy: groupByParameter(usageGroups, 'model'),
  agentId: z.uuid().optional(),
  model: z.string().max(200).optional(),
  conversationId: z.uuid().optional(),
  user: z.string().max(200).optional(),
  limit: integerParameter(1, 1000, 100),
  cursor: offsetCursor,
});

const getUsageRoute = route({
  method: 'GET',
  path: '/api/usage',
  operationId: 'getUsage',
  clientName: 'usage.get',
  summary: 'Get usage',
  description:
    'Sums up what calls have cost, in credits (millionths of a US dollar), by group; the dearest groups come first. A call ' +
    'counts once, however often it was tried. Calls of agents that a turn called count for its conversation and its user. ' +
    'A key for one person sums up the calls in conversations that this person sees.',
  tag: 'analytics',
  right: 'analytics.read',
  query: usageQuery,
  answers: {
    200: z.object({
      from: z.string(),
      to: z.string(),
      usage: z.array(usageFiguresSchema),
      nextCursor: nextCursorSchema,
    }),
  },
  handler: async ({ query, actor, dependencies }) => ({
    status: 200,
    data: await getUsage(dependencies, actor, query),
  }),
});

const priceTable = z.object({
  version: z.string().describe('The day of the list prices'),
  list: pricesSchema.describe('The list prices, in US dollars'),
  own: pricesSchema.describe('The prices that the workspace has set; they come before those of the list'),
  updatedAt: z.string().nullable().describe('When the workspace set its prices; null when it has not'),
});

const getPricesRoute = route({
  method: 'GET',
  path: '/api/prices',
  operationId: 'getPrices',
  clientName: 'prices.get',
  summary: 'Get prices',
  tag: 'budgets',
  right: 'budgets.read',
  answers: { 200: priceTable },
  handler: async ({ actor, dependencies }) => ({
    status: 200,
    data: await getPrices(dependencies, actor),
  }),
});

const setPricesRoute = route({
  method: 'PUT',
  path: '/api/prices',
  operationId: 'setPrices',
  clientName: 'prices.set',
  summary: 'Set the prices of the workspace',
  description:
    'Replaces all prices that the workspace has set. `*` is the price of every model that has none here or in the list. ' +
    'They hold for turns that begin afterwards; calls that were made keep their cost.',
  tag: 'budgets',
  right: 'prices.write',
  body: z.strictObject({
    prices: pricesSchema.refine((prices) => Object.keys(prices).length <= 500, 'expected at most 500 prices'),
  }),
  answers: { 200: priceTable },
  handler: async ({ body, actor, dependencies }) => ({
    status: 200,
    data: await setPrices(dependencies, actor, body.prices),
  }),
});

/** The endpoints of usage and prices. */
export const usageRoutes = [getUsageRoute, getPricesRoute, setPricesRoute];
