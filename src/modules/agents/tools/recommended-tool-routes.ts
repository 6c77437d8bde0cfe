import { z } from 'zod';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { recommendTools } from './recommend-tools.ts';
import { discoveredToolSchema } from '../../../domain/discovered-tool.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, integerParameter } from '../../../platform/http/schemas.ts';

const route = routesOf<AgentDependencies>();

const skippedSchema = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  reason: z.string(),
});

const recommendationSchema = z.object({
  tool: discoveredToolSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  provider: z.string(),
  score: z.number(),
  reason: z.string(),
});

const getRecommendedTools = route({
  method: 'GET',
  path: '/api/agents/:id/recommended-tools',
  operationId: 'getRecommendedTools',
  summary: 'List recommended tools for an agent, best first',
  description:
    'Ranks the tools of the workspace’s active connections by the words that they share with the agent’s name and ' +
    'instructions; `reason` names the words. `skipped` lists the connections that did not answer in time.',
  tag: 'agent tools',
  right: 'agents.read',
  params: idParams,
  query: z.strictObject({ limit: integerParameter(1, 100, 10) }),
  answers: {
    200: z.object({ recommendations: z.array(recommendationSchema), skipped: z.array(skippedSchema) }),
  },
  handler: async ({ params, query: { limit }, actor, dependencies }) => {
    const data = await recommendTools(dependencies, actor, { agentId: params.id, limit });
    return { status: 200, data };
  },
});

/** The endpoints that recommend tools for an agent. */
export const recommendedToolRoutes = [getRecommendedTools];
