import { z } from 'zod';
import { createBudget, deleteBudget, updateBudget } from './change-budgets.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';
import { listBudgetShares } from './list-budget-shares.ts';
import { createBudgetRepository } from './budget-repository.ts';
import {
  budgetChangeSchema,
  budgetInputSchema,
  budgetSchema,
  budgetShareSchema,
} from '../../../domain/budget.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, offsetPageQuery, pageQuery } from '../../../platform/http/schemas.ts';

const route = routesOf<CreditDependencies>();
const tag = 'budgets';
const answer = z.object({ budget: budgetSchema });

const createBudgetRoute = route({
  method: 'POST',
  path: '/api/budgets',
  operationId: 'createBudget',
  summary: 'Create a budget',
  description:
    'A call of a model or a tool that would break it is not made, and its turn fails with `BUDGET_EXCEEDED`. What was spent ' +
    'before in the present period counts. Days and months are those of UTC. With `each`, every agent, conversation or user ' +
    'has the credits for its own calls.',
  tag,
  right: 'budgets.write',
  body: budgetInputSchema,
  answers: { 201: answer },
  errors: ['CONFLICT'],
  handler: async ({ body, actor, dependencies }) => {
    return { status: 201, data: { budget: await createBudget(dependencies, actor, body) } };
  },
});

const listBudgets = route({
  method: 'GET',
  path: '/api/budgets',
  operationId: 'listBudgets',
  summary: 'List budgets, newest first',
  tag,
  right: 'budgets.read',
  query: pageQuery,
  answers: { 200: z.object({ budgets: z.array(budgetSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createBudgetRepository(trx).listBudgets(query));
    return { status: 200, data: { budgets: page.items, nextCursor: page.nextCursor } };
  },
});

const getBudget = route({
  method: 'GET',
  path: '/api/budgets/:id',
  operationId: 'getBudget',
  summary: 'Get a budget',
  description: 'With what is spent and reserved of it in the present period.',
  tag,
  right: 'budgets.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, inWorkspace }) => {
    const budget = await inWorkspace((trx) => createBudgetRepository(trx).getBudget(params.id));
    return { status: 200, data: { budget } };
  },
});

const updateBudgetRoute = route({
  method: 'PATCH',
  path: '/api/budgets/:id',
  operationId: 'updateBudget',
  summary: 'Update a budget',
  description: 'The new size holds for calls that begin afterwards. The limit of a swarm cannot be changed.',
  tag,
  right: 'budgets.write',
  params: idParams,
  body: budgetChangeSchema,
  answers: { 200: answer },
  errors: ['CONFLICT'],
  handler: async ({ params, body, actor, dependencies }) => {
    const budget = await updateBudget(dependencies, actor, { id: params.id, change: body });
    return { status: 200, data: { budget } };
  },
});

const deleteBudgetRoute = route({
  method: 'DELETE',
  path: '/api/budgets/:id',
  operationId: 'deleteBudget',
  summary: 'Delete a budget',
  description: 'The limit of a swarm cannot be deleted; it goes when the swarm ends.',
  tag,
  right: 'budgets.write',
  params: idParams,
  errors: ['CONFLICT'],
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteBudget(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const listShares = route({
  method: 'GET',
  path: '/api/budgets/:id/shares',
  operationId: 'listBudgetShares',
  clientName: 'budgets.listShares',
  summary: 'List what each has spent of a budget',
  description:
    'What agents, conversations or users have spent and reserved of a budget for each in its present period, the most first.',
  tag,
  right: 'budgets.read',
  params: idParams,
  query: offsetPageQuery,
  answers: { 200: z.object({ shares: z.array(budgetShareSchema), nextCursor: nextCursorSchema }) },
  errors: ['CONFLICT'],
  handler: async ({ params, query, actor, dependencies }) => {
    return { status: 200, data: await listBudgetShares(dependencies, actor, { ...query, id: params.id }) };
  },
});

/** The endpoints of budgets. */
export const budgetRoutes = [
  createBudgetRoute,
  listBudgets,
  getBudget,
  updateBudgetRoute,
  deleteBudgetRoute,
  listShares,
];
