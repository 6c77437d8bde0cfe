import type { Knex } from 'knex';
import { z } from 'zod';
import { createAgentConnectorRepository } from '../../db/agents/agent-connector-repository.ts';
import { createAgentRepository } from '../../db/agents/agent-repository.ts';
import { createConnectorRepository } from '../../db/connections/connector-repository.ts';
import { agentSchema, type AgentVersion } from '../../domain/agent.ts';
import { agentConfigurationSchema, connectorSchema } from '../../domain/connector.ts';
import { askConnectors } from '../../agents/ask-connectors.ts';
import { recordConnector } from '../../agents/configure-agent.ts';
import { provisionAgent } from '../../agents/provision-agent.ts';
import { checkProvisioning, provisioningSchema } from '../../agents/provisioning.ts';
import { route } from '../server/route.ts';
import { idParams } from '../server/schemas.ts';
import { toConfiguration } from '../../agents/to-agent-configuration.ts';

const tag = 'agent configuration';

const attachConnector = route({
  method: 'POST',
  path: '/api/agents/:id/connectors',
  operationId: 'attachConnector',
  summary: 'Attach a connector to an agent',
  description: 'The agent gets its tools when it is provisioned.',
  tag,
  scope: 'agents:write',
  params: idParams,
  body: z.strictObject({ connectorId: z.uuid() }),
  answers: { 201: z.object({ connector: connectorSchema }) },
  handler: async ({ params, body, inWorkspace }) => {
    const connector = await inWorkspace(async (trx) => {
      const attached = await createAgentConnectorRepository(trx).attach(params.id, body.connectorId);
      await recordConnector(trx, params.id, { connector_attached: attached.name });
      return attached;
    });
    return { status: 201, data: { connector } };
  },
});

const listAttached = route({
  method: 'GET',
  path: '/api/agents/:id/connectors',
  operationId: 'listAttachedConnectors',
  summary: 'List the connectors that are attached to an agent',
  tag,
  scope: 'agents:read',
  params: idParams,
  answers: { 200: z.object({ connectors: z.array(connectorSchema) }) },
  handler: async ({ params, inWorkspace }) => {
    const connectors = await inWorkspace((trx) => readAttached(trx, params.id));
    return { status: 200, data: { connectors } };
  },
});

async function readAttached(trx: Knex, agentId: string) {
  await createAgentRepository(trx).getAgent(agentId);
  return createAgentConnectorRepository(trx).listAttached(agentId);
}

const detachConnector = route({
  method: 'DELETE',
  path: '/api/agents/:id/connectors/:connectorId',
  operationId: 'detachConnector',
  summary: 'Detach a connector from an agent',
  description: 'The agent loses its tools when it is provisioned again.',
  tag,
  scope: 'agents:write',
  params: idParams.extend({ connectorId: z.uuid() }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, inWorkspace }) => {
    await inWorkspace(async (trx) => {
      await createAgentConnectorRepository(trx).detach(params.id, params.connectorId);
      await recordConnector(trx, params.id, { connector_detached: params.connectorId });
    });
    return { status: 200, data: { deleted: true } };
  },
});

const provision = route({
  method: 'POST',
  path: '/api/agents/:id/provision',
  operationId: 'provisionAgent',
  summary: 'Give an agent the tools of its connectors, in force from its next turn',
  description:
    'Asks each attached connector’s server for the tools that the connector names. Tools of connectors that are no longer ' +
    'attached are taken away; other tools of the agent, and the settings of tools that stay, remain. What the body ' +
    'names of allowlist, policies, canary tokens and `config` is set with it.',
  tag,
  scope: 'agents:write',
  params: idParams,
  body: provisioningSchema.nullish(),
  answers: { 200: z.object({ configuration: agentConfigurationSchema, agent: agentSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT', 'CONNECTION_NOT_ACTIVE', 'TOOL_UNREACHABLE'],
  handler: async ({ params: { id: agentId }, body, principal, dependencies, inWorkspace }) => {
    const { workspaceId } = principal;
    const provisioning = body ?? provisioningSchema.parse({});
    checkProvisioning(dependencies, provisioning);
    const connectors = await inWorkspace((trx) => readAttached(trx, agentId));
    const offers = await askConnectors({ dependencies, workspaceId, connectors });
    const { checkTool } = dependencies;
    const data = await inWorkspace(async (trx) => {
      const agent = await provisionAgent(trx, { agentId, provisioning, offers, checkTool });
      return { agent, configuration: await readConfiguration(trx, { ...agent, agentId }) };
    });
    return { status: 200, data };
  },
});

async function readConfiguration(trx: Knex, version: AgentVersion) {
  const ids = version.connectors.map(({ connectionId }) => connectionId);
  return toConfiguration(version, await createConnectorRepository(trx).listByConnection(ids));
}

const getConfiguration = route({
  method: 'GET',
  path: '/api/agents/:id/configuration',
  operationId: 'getAgentConfiguration',
  summary: 'Get what an agent is told to work with',
  description: 'As it was provisioned last, or in `version`. Auth and canary tokens are masked.',
  tag,
  scope: 'agents:read',
  params: idParams,
  query: z.strictObject({ version: z.coerce.number().int().min(1).max(2_147_483_647).optional() }),
  answers: { 200: z.object({ configuration: agentConfigurationSchema }) },
  handler: async ({ params: { id }, query, inWorkspace }) => {
    const configuration = await inWorkspace(async (trx) => {
      const agents = createAgentRepository(trx);
      const number = query.version ?? (await agents.getAgent(id)).version;
      return readConfiguration(trx, await agents.getVersion(id, number));
    });
    return { status: 200, data: { configuration } };
  },
});

/** How agents are configured from connectors. */
export const agentConfigurationRoutes = [
  attachConnector,
  listAttached,
  detachConnector,
  provision,
  getConfiguration,
];
