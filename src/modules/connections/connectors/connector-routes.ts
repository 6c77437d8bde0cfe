import { z } from 'zod';
import { createConnectorRepository } from './connector-repository.ts';
import { connectorInputSchema, connectorSchema } from '../../../domain/connector.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import { registerConnector } from './register-connector.ts';
import { removeConnector } from './remove-connector.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';

const route = routesOf<ConnectionDependencies>();
const tag = 'connectors';

const createConnector = route({
  method: 'POST',
  path: '/api/connectors',
  operationId: 'createConnector',
  summary: 'Create a connector',
  description:
    'Registers an MCP server and those of its tools that agents may use. A connection is created for its credentials, ' +
    'and answers show `auth` masked.',
  tag,
  right: 'connections.write',
  body: connectorInputSchema,
  answers: { 201: z.object({ connector: connectorSchema }) },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ body, actor, dependencies }) => {
    const connector = await registerConnector(dependencies, actor, body);
    return { status: 201, data: { connector } };
  },
});

const listConnectors = route({
  method: 'GET',
  path: '/api/connectors',
  operationId: 'listConnectors',
  summary: 'List connectors, newest first',
  tag,
  right: 'connections.read',
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
  summary: 'Get a connector',
  description: 'Its auth is masked.',
  tag,
  right: 'connections.read',
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
  summary: 'Delete a connector',
  description:
    'Deletes its connection with the credentials too. Agents lose its tools when they are provisioned again; until ' +
    'then, calls of these tools are refused.',
  tag,
  right: 'connections.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await removeConnector(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

/** The endpoints of connectors. */
export const connectorRoutes = [createConnector, listConnectors, getConnector, deleteConnector];
