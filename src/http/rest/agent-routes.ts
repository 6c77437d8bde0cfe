import { z } from 'zod';
import { createAgentRepository } from '../../db/agents/agent-repository.ts';
import { agentChangeSchema, agentInputSchema, agentSchema, agentVersionSchema } from '../../domain/agent.ts';
import { checkAgent } from '../../agents/check-agent.ts';
import { checkModelConnection } from '../../agents/check-model-connection.ts';
import {
  createConfiguredAgent,
  deleteConfiguredAgent,
  updateConfiguredAgent,
} from '../../agents/configure-agent.ts';
import { prepareTools } from '../../agents/prepare-tools.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';

const tag = 'agents';

const createAgent = route({
  method: 'POST',
  path: '/api/agents',
  operationId: 'createAgent',
  summary: 'Make an agent',
  description: 'The agent begins with version 1.',
  tag,
  scope: 'agents:write',
  body: agentInputSchema,
  answers: { 201: z.object({ agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ body, principal: { workspaceId }, dependencies, inWorkspace }) => {
    checkAgent(dependencies, body);
    const prepared = await prepareTools({ dependencies, workspaceId, inWorkspace, tools: body.tools });
    const agent = await inWorkspace(async (trx) => {
      await checkModelConnection(trx, body);
      return createConfiguredAgent(trx, body, prepared);
    });
    return { status: 201, data: { agent } };
  },
});

const listAgents = route({
  method: 'GET',
  path: '/api/agents',
  operationId: 'listAgents',
  summary: 'List agents, newest first',
  tag,
  scope: 'agents:read',
  query: pageQuery,
  answers: { 200: z.object({ agents: z.array(agentSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createAgentRepository(trx).listAgents(query));
    return { status: 200, data: { agents: items, nextCursor } };
  },
});

const getAgent = route({
  method: 'GET',
  path: '/api/agents/:id',
  operationId: 'getAgent',
  summary: 'Get an agent with what its newest version says',
  tag,
  scope: 'agents:read',
  params: idParams,
  answers: { 200: z.object({ agent: agentSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const agent = await inWorkspace((trx) => createAgentRepository(trx).getAgent(params.id));
    return { status: 200, data: { agent } };
  },
});

const updateAgent = route({
  method: 'PATCH',
  path: '/api/agents/:id',
  operationId: 'updateAgent',
  summary: 'Change an agent, which makes a new version',
  description: 'What is named is replaced as a whole, the rest stays. Turns that run keep their version.',
  tag,
  scope: 'agents:write',
  params: idParams,
  body: agentChangeSchema.refine((change) => Object.keys(change).length > 0, 'expected at least one field'),
  answers: { 200: z.object({ agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body, principal: { workspaceId }, dependencies, inWorkspace }) => {
    checkAgent(dependencies, body);
    const { tools } = body;
    const known = tools && (await inWorkspace((trx) => createAgentRepository(trx).getAgent(params.id))).tools;
    const prepared = tools && (await prepareTools({ dependencies, workspaceId, inWorkspace, tools, known }));
    const agent = await inWorkspace(async (trx) => {
      const changed = await updateConfiguredAgent(trx, params.id, { ...body, prepared });
      const isModelNew = body.model !== undefined || body.modelConnectionId !== undefined;
      if (isModelNew) await checkModelConnection(trx, changed);
      return changed;
    });
    return { status: 200, data: { agent } };
  },
});

const deleteAgent = route({
  method: 'DELETE',
  path: '/api/agents/:id',
  operationId: 'deleteAgent',
  summary: 'Take an agent out of use',
  description: 'Its conversations and turns can still be read; new turns are refused.',
  tag,
  scope: 'agents:write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, inWorkspace }) => {
    await inWorkspace((trx) => deleteConfiguredAgent(trx, params.id));
    return { status: 200, data: { deleted: true } };
  },
});

const listAgentVersions = route({
  method: 'GET',
  path: '/api/agents/:id/versions',
  operationId: 'listAgentVersions',
  summary: 'List the versions of an agent, newest first',
  tag,
  scope: 'agents:read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ versions: z.array(agentVersionSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) =>
      createAgentRepository(trx).listVersions({ ...query, agentId: params.id }),
    );
    return { status: 200, data: { versions: items, nextCursor } };
  },
});

const getAgentVersion = route({
  method: 'GET',
  path: '/api/agents/:id/versions/:version',
  operationId: 'getAgentVersion',
  summary: 'Get one version of an agent',
  tag,
  scope: 'agents:read',
  params: idParams.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
  answers: { 200: z.object({ version: agentVersionSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const version = await inWorkspace((trx) =>
      createAgentRepository(trx).getVersion(params.id, params.version),
    );
    return { status: 200, data: { version } };
  },
});

/** What can be done with agents. */
export const agentRoutes = [
  createAgent,
  listAgents,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  getAgentVersion,
];
