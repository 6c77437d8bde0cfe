import { z } from 'zod';
import type { AgentDependencies } from './agent-dependencies.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import * as readAgents from './read-agents.ts';
import { updateAgent } from './update-agent.ts';
import {
  agentChangeSchema,
  agentSchema,
  agentVersionSchema,
  newAgentSchema,
  seenVersionSchema,
} from './agent-schema.ts';
import { toPersonCaller } from '../../domain/resource-caller.ts';
import { routesOf } from '../../platform/http/route.ts';
import { listedModelsSchema, takeModels } from './models/listed-models.ts';
import { idParams, integerParameter, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<AgentDependencies>();
const tag = 'agents';

const createOne = route({
  method: 'POST',
  path: '/api/agents',
  operationId: 'createAgent',
  summary: 'Create an agent',
  description: 'The agent starts with version 1.',
  tag,
  right: 'agents.write',
  body: newAgentSchema.extend({ model: listedModelsSchema }),
  answers: { 201: z.object({ agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ body: { project, model, ...body }, actor, dependencies }) => {
    const input = { ...body, ...takeModels(model, body.fallbackModels) };
    const { maker } = toPersonCaller(actor);
    const owner = project === undefined ? null : { ...maker, project };
    const agent = await createAgent(dependencies, actor, { ...input, owner });
    return { status: 201, data: { agent } };
  },
});

const listAgents = route({
  method: 'GET',
  path: '/api/agents',
  operationId: 'listAgents',
  summary: 'List agents, newest first',
  tag,
  right: 'agents.read',
  query: pageQuery,
  answers: { 200: z.object({ agents: z.array(agentSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, actor, dependencies }) => {
    const { items, nextCursor } = await readAgents.listAgents(dependencies, actor, query);
    return { status: 200, data: { agents: items, nextCursor } };
  },
});

const getAgent = route({
  method: 'GET',
  path: '/api/agents/:id',
  operationId: 'getAgent',
  summary: 'Get an agent',
  tag,
  right: 'agents.read',
  params: idParams,
  answers: { 200: z.object({ agent: agentSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const agent = await readAgents.getAgent(dependencies, actor, params.id);
    return { status: 200, data: { agent } };
  },
});

const updateOne = route({
  method: 'PATCH',
  path: '/api/agents/:id',
  operationId: 'updateAgent',
  summary: 'Update an agent',
  description:
    'Makes a new version. Each field in the body is replaced as a whole; the other fields stay. Running turns keep their ' +
    'version.',
  tag,
  right: 'agents.write',
  params: idParams,
  body: agentChangeSchema
    .extend({ version: seenVersionSchema, model: listedModelsSchema.optional() })
    .refine((body) => Object.keys(body).some((name) => name !== 'version'), 'expected at least one field'),
  answers: { 200: z.object({ agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body: { version, model, ...body }, actor, dependencies }) => {
    const models = model === undefined ? {} : takeModels(model, body.fallbackModels);
    const update = { agentId: params.id, change: { ...body, ...models }, expectedVersion: version };
    const agent = await updateAgent(dependencies, actor, update);
    return { status: 200, data: { agent } };
  },
});

const deleteOne = route({
  method: 'DELETE',
  path: '/api/agents/:id',
  operationId: 'deleteAgent',
  summary: 'Delete an agent',
  description:
    'Its conversations and turns can still be read. New turns are refused. With `permanent=true` the agent is deleted ' +
    'for good, also after it was deleted without it: with its versions, conversations, turns and counts, which are ' +
    'removed within minutes. That is refused with 409 while one of its turns runs or waits.',
  tag,
  right: 'agents.write',
  params: idParams,
  query: z.strictObject({
    permanent: z.enum(['true', 'false']).default('false').describe('Deletes its conversations too'),
    version: integerParameter(1, 2_147_483_647).optional().describe('As in an update'),
  }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['TURN_RUNNING', 'CONFLICT'],
  handler: async ({ params, query, actor, dependencies }) => {
    const permanent = query.permanent === 'true';
    const deletion = { agentId: params.id, permanent, expectedVersion: query.version };
    await deleteAgent(dependencies, actor, deletion);
    return { status: 200, data: { deleted: true } };
  },
});

const listAgentVersions = route({
  method: 'GET',
  path: '/api/agents/:id/versions',
  operationId: 'listAgentVersions',
  summary: 'List the versions of an agent, newest first',
  tag,
  right: 'agents.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ versions: z.array(agentVersionSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, actor, dependencies }) => {
    const page = { ...query, agentId: params.id };
    const { items, nextCursor } = await readAgents.listAgentVersions(dependencies, actor, page);
    return { status: 200, data: { versions: items, nextCursor } };
  },
});

const getAgentVersion = route({
  method: 'GET',
  path: '/api/agents/:id/versions/:version',
  operationId: 'getAgentVersion',
  summary: 'Get a version of an agent',
  tag,
  right: 'agents.read',
  params: idParams.extend({ version: integerParameter(1, 2_147_483_647) }),
  answers: { 200: z.object({ version: agentVersionSchema }) },
  handler: async ({ params: { id: agentId, version: number }, actor, dependencies }) => {
    const ref = { agentId, version: number };
    const version = await readAgents.getAgentVersion(dependencies, actor, ref);
    return { status: 200, data: { version } };
  },
});

/** The endpoints for agents and their versions. */
export const agentRoutes = [
  createOne,
  listAgents,
  getAgent,
  updateOne,
  deleteOne,
  listAgentVersions,
  getAgentVersion,
];
