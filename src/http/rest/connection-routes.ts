import { z } from 'zod';
import { createConnectionRepository } from '../../db/connections/connection-repository.ts';
import { connectionChangeSchema, connectionInputSchema, connectionSchema } from '../../domain/connection.ts';
import { connectionTestSchema } from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toRedirectUri } from '../server/redirect-uri.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';

const tag = 'connections';
const answer = z.object({ connection: connectionSchema });

const createConnection = route({
  method: 'POST',
  path: '/api/connections',
  operationId: 'createConnection',
  summary: 'Store credentials for a provider or an MCP server',
  description:
    'Credentials are sealed before they are stored and never answered but masked. A connection with ' +
    '`oauth2_authorization_code` is `expired` until it was authorized in a browser.',
  tag,
  scope: 'connections:write',
  body: connectionInputSchema,
  answers: { 201: answer },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ body, principal, dependencies }) => {
    const { workspaceId, apiKeyId } = principal;
    const connection = await dependencies.connections.create(workspaceId, body, apiKeyId);
    return { status: 201, data: { connection } };
  },
});

const listConnections = route({
  method: 'GET',
  path: '/api/connections',
  operationId: 'listConnections',
  summary: 'List connections, newest first',
  tag,
  scope: 'connections:read',
  query: pageQuery.extend({
    provider: z.string().max(100).optional().describe('Only those of this provider'),
  }),
  answers: { 200: z.object({ connections: z.array(connectionSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createConnectionRepository(trx).listConnections(query));
    return { status: 200, data: { connections: page.items, nextCursor: page.nextCursor } };
  },
});

const getConnection = route({
  method: 'GET',
  path: '/api/connections/:id',
  operationId: 'getConnection',
  summary: 'Get a connection, its credentials masked',
  tag,
  scope: 'connections:read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, inWorkspace }) => {
    const found = await inWorkspace((trx) => createConnectionRepository(trx).findConnection(params.id));
    if (!found) throw new HoldfastError('NOT_FOUND', `There is no connection ${params.id}.`);
    return { status: 200, data: { connection: found.connection } };
  },
});

const updateConnection = route({
  method: 'PATCH',
  path: '/api/connections/:id',
  operationId: 'updateConnection',
  summary: 'Change a connection',
  description:
    'New `auth` replaces the whole of the old and makes the connection `active` again. An endpoint at another ' +
    'origin needs new `auth` with it. `"status": "revoked"` forgets the credentials.',
  tag,
  scope: 'connections:write',
  params: idParams,
  body: connectionChangeSchema.refine(
    (change) => Object.keys(change).length > 0,
    'expected at least one field',
  ),
  answers: { 200: answer },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params, body, principal, dependencies }) => {
    const { workspaceId } = principal;
    const connection = await dependencies.connections.change(workspaceId, params.id, body);
    dependencies.releaseConnection({ workspaceId, connectionId: params.id });
    return { status: 200, data: { connection } };
  },
});

const deleteConnection = route({
  method: 'DELETE',
  path: '/api/connections/:id',
  operationId: 'deleteConnection',
  summary: 'Delete a connection and its credentials',
  description: 'Tools that go over it are refused from then on.',
  tag,
  scope: 'connections:write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, principal, dependencies }) => {
    const { workspaceId } = principal;
    await dependencies.connections.remove(workspaceId, params.id);
    dependencies.releaseConnection({ workspaceId, connectionId: params.id });
    return { status: 200, data: { deleted: true } };
  },
});

const urlAnswer = z.object({ url: z.string().describe('For the browser of the person who gives consent') });

const authorizeConnection = route({
  method: 'GET',
  path: '/api/connections/:id/authorize',
  operationId: 'authorizeConnection',
  summary: 'Begin to authorize a connection in a browser',
  description:
    'For auth of type `oauth2_authorization_code`. The address is good once, for 10 minutes; afterwards the browser ' +
    'comes back to `/api/oauth/callback`, and the connection is `active`.',
  tag,
  scope: 'connections:write',
  params: idParams,
  query: z.strictObject({
    redirect: z.stringbool().default(false).describe('Answer with 302 to the address'),
  }),
  answers: { 200: urlAnswer, 302: urlAnswer },
  errors: ['AUTHORIZATION_FAILED', 'CONFLICT', 'EGRESS_REFUSED', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params, query, principal, dependencies }) => {
    const data = await dependencies.connections.startAuthorization({
      workspaceId: principal.workspaceId,
      connectionId: params.id,
      redirectUri: toRedirectUri(dependencies),
    });
    const headers = { 'cache-control': 'no-store' };
    if (!query.redirect) return { status: 200, data, headers };
    return { status: 302, data, headers: { ...headers, location: data.url } };
  },
});

const testConnection = route({
  method: 'POST',
  path: '/api/connections/:id/test',
  operationId: 'testConnection',
  summary: 'Call the other side to see whether a connection works',
  description: 'What the other side answers is in `test`; it is no error when it says no.',
  tag,
  scope: 'connections:write',
  params: idParams,
  body: z.strictObject({}).nullish(),
  answers: { 200: z.object({ test: connectionTestSchema }) },
  handler: async ({ params, principal, dependencies, inWorkspace }) => {
    const found = await inWorkspace((trx) => createConnectionRepository(trx).findConnection(params.id));
    if (!found) throw new HoldfastError('NOT_FOUND', `There is no connection ${params.id}.`);
    const { workspaceId } = principal;
    const test = await dependencies.discovery.testConnection({ workspaceId, connectionId: params.id });
    return { status: 200, data: { test } };
  },
});

/** What can be done with connections. */
export const connectionRoutes = [
  createConnection,
  listConnections,
  getConnection,
  updateConnection,
  deleteConnection,
  authorizeConnection,
  testConnection,
];
