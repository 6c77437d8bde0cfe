import { z } from 'zod';
import type { AgentDependencies } from './agent-dependencies.ts';
import { functionListingSchema } from '../../domain/function.ts';
import { routesOf } from '../../platform/http/route.ts';

const route = routesOf<Pick<AgentDependencies, 'functions'>>();

const listFunctions = route({
  method: 'GET',
  path: '/api/functions',
  operationId: 'listFunctions',
  summary: 'List functions',
  description: 'Lists the built-in functions, and those that the operator of this server has defined.',
  tag: 'agents',
  right: 'agents.read',
  answers: { 200: z.object({ functions: z.array(functionListingSchema) }) },
  handler: ({ dependencies }) =>
    Promise.resolve({ status: 200, data: { functions: dependencies.functions.list() } }),
});

/** The endpoints of functions. */
export const functionRoutes = [listFunctions];
