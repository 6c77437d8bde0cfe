import { z } from 'zod';
import { createConnectorRepository } from '../../db/connections/connector-repository.ts';
import { connectorInputSchema, connectorSchema } from '../../domain/connector.ts';
import { registerConnector, removeConnector } from '../../connections/register-connector.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';

const tag = 'connectors';

const createConnector = route({
  method: 'POST',
  path: '/api/connectors',
  operationId: 'createConnector',
  summary: 'Register an MCP server and the tools of it that agents may be given',
  description:
    'Its credentials are kept in a connection of its own. A tool leads to one connector only: naming one that another ' +
    'connector has is a conflict. `auth` is answered masked.',
  tag,
  scope: 'connections:write',
  body: connectorInputSchema,
  answers: { 201: z.object({ connector: connectorSchema }) },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ body, principal, dependencies, inWorkspace }) => {
    const connector = await registerConnector({ input: body, principal, dependencies, inWorkspace });
    return { status: 201, data: { connector } };
  },
});

const listConnectors = route({
  method: 'GET',
  path: '/api/connectors',
  operationId: 'listConnectors',
  summary: 'List connectors, newest first',
  tag,
  scope: 'connections:read',
  query: pageQuery,
  answers: { 200: z.object({ connectors: z.array(connectorSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createConnectorRepository(trx).listConnectors(query));
    return { status: 200, data: { connectors: page.items, nextCursor: page.nextCursor } };
  },
});

const getConnector = route({
  method: 'GET',
  path: '/api/connectors/:id',
  operationId: 'getConnector',
  summary: 'Get a connector, its auth masked',
  tag,
  scope: 'connections:read',
  params: idParams,
  answers: { 200: z.object({ connector: connectorSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const connector = await inWorkspace((trx) => createConnectorRepository(trx).getConnector(params.id));
    return { status: 200, data: { connector } };
  },
});

const deleteConnector = route({
  method: 'DELETE',
  path: '/api/connectors/:id',
  operationId: 'deleteConnector',
  summary: 'Take a connector out of use, and forget its credentials',
  description: 'Agents lose its tools when they are provisioned again; until then calls of them are refused.',
  tag,
  scope: 'connections:write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, principal: { workspaceId }, dependencies, inWorkspace }) => {
    const { connectionId } = await inWorkspace((trx) => removeConnector(trx, params.id));
    dependencies.releaseConnection({ workspaceId, connectionId });
    return { status: 200, data: { deleted: true } };
  },
});

/** What can be done with connectors. */
export const connectorRoutes = [createConnector, listConnectors, getConnector, deleteConnector];
