import { z } from 'zod';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { attachConnector, detachConnector } from '../connectors/attach-connector.ts';
import { listAttachedConnectors } from '../connectors/list-attached-connectors.ts';
import { provisionAgent } from './provision-agent.ts';
import { provisioningSchema } from './provisioning.ts';
import { readAgentConfiguration } from './read-agent-configuration.ts';
import { agentSchema } from '../agent-schema.ts';
import { agentConfigurationSchema, shownConnectorSchema } from '../../../domain/connector.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, integerParameter } from '../../../platform/http/schemas.ts';

const route = routesOf<AgentDependencies>();
const tag = 'agent configuration';

const attach = route({
  method: 'POST',
  path: '/api/agents/:id/connectors',
  operationId: 'attachConnector',
  clientName: 'agents.connectors.attach',
  summary: 'Attach a connector to an agent',
  description: 'The agent gets the tools of the connector when it is next provisioned.',
  tag,
  right: 'agents.write',
  params: idParams,
  body: z.strictObject({ connectorId: z.uuid() }),
  answers: { 201: z.object({ connector: shownConnectorSchema }) },
  handler: async ({ params, body: { connectorId }, actor, dependencies }) => {
    const connector = await attachConnector(dependencies, actor, { agentId: params.id, connectorId });
    return { status: 201, data: { connector } };
  },
});

const listAttached = route({
  method: 'GET',
  path: '/api/agents/:id/connectors',
  operationId: 'listAttachedConnectors',
  summary: 'List the connectors of an agent',
  description: 'Without the scope `connections:read` the endpoints are null and auth is empty.',
  tag,
  right: 'agents.read',
  params: idParams,
  answers: { 200: z.object({ connectors: z.array(shownConnectorSchema) }) },
  handler: async ({ params, actor, dependencies }) => {
    const connectors = await listAttachedConnectors(dependencies, actor, { agentId: params.id });
    return { status: 200, data: { connectors } };
  },
});

const detach = route({
  method: 'DELETE',
  path: '/api/agents/:id/connectors/:connectorId',
  operationId: 'detachConnector',
  clientName: 'agents.connectors.detach',
  summary: 'Detach a connector from an agent',
  description: 'The agent loses the tools of the connector when it is next provisioned.',
  tag,
  right: 'agents.write',
  params: idParams.extend({ connectorId: z.uuid() }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params: { id: agentId, connectorId }, actor, dependencies }) => {
    await detachConnector(dependencies, actor, { agentId, connectorId });
    return { status: 200, data: { deleted: true } };
  },
});

const provision = route({
  method: 'POST',
  path: '/api/agents/:id/provision',
  operationId: 'provisionAgent',
  summary: 'Provision an agent with the tools of its connectors',
  description:
    'Requests the tools of each attached connector from its server, and makes a new version with them, which the next ' +
    'turn of the agent uses. Tools of connectors that are no longer attached are removed; the other tools of the agent ' +
    'stay with their settings. The allowlist, policies, canary tokens and `config` are replaced when the body has them.',
  tag,
  right: 'agents.write',
  params: idParams,
  body: provisioningSchema.nullish(),
  answers: { 200: z.object({ configuration: agentConfigurationSchema, agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT', 'CONNECTION_NOT_ACTIVE', 'TOOL_UNREACHABLE'],
  handler: async ({ params, body, actor, dependencies }) => {
    const provisioning = body ?? provisioningSchema.parse({});
    const data = await provisionAgent(dependencies, actor, { agentId: params.id, provisioning });
    return { status: 200, data };
  },
});

const getConfiguration = route({
  method: 'GET',
  path: '/api/agents/:id/configuration',
  operationId: 'getAgentConfiguration',
  summary: 'Get the configuration of an agent',
  description:
    'Gets the configuration of the newest version, or of `version`. Auth and canary tokens are masked; without ' +
    'the scope `connections:read` endpoints are null and auth is empty.',
  tag,
  right: 'agents.read',
  params: idParams,
  query: z.strictObject({ version: integerParameter(1, 2_147_483_647).optional() }),
  answers: { 200: z.object({ configuration: agentConfigurationSchema }) },
  handler: async ({ params, query: { version }, actor, dependencies }) => {
    const request = { agentId: params.id, version };
    const configuration = await readAgentConfiguration(dependencies, actor, request);
    return { status: 200, data: { configuration } };
  },
});

/** The endpoints that configure agents from connectors. */
export const agentConfigurationRoutes = [attach, listAttached, detach, provision, getConfiguration];
