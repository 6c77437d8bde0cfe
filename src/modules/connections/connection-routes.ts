import { z } from 'zod';
import { createConnectionRepository } from './connection-repository.ts';
import { connectionChangeSchema, connectionInputSchema, connectionSchema } from '../../domain/connection.ts';
import { connectionTestSchema } from '../../domain/discovered-tool.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { connectionNotFound } from './oauth/refusals.ts';
import { startAuthorization } from './oauth/start-authorization.ts';
import { testConnection } from './test-connection.ts';
import { updateConnection } from './update-connection.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<ConnectionDependencies>();
const tag = 'connections';
const answer = z.object({ connection: connectionSchema });

const createConnectionRoute = route({
  method: 'POST',
  path: '/api/connections',
  operationId: 'createConnection',
  summary: 'Create a connection',
  description:
    'Stores credentials for a provider, an MCP server or a vendor of models. They are encrypted, and answers show them ' +
    'masked. A connection with `oauth2_authorization_code` is `expired` until it is authorized in a browser.',
  tag,
  right: 'connections.write',
  body: connectionInputSchema,
  answers: { 201: answer },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ body, actor, dependencies }) => {
    const connection = await createConnection(dependencies, actor, body);
    return { status: 201, data: { connection } };
  },
});

const listConnections = route({
  method: 'GET',
  path: '/api/connections',
  operationId: 'listConnections',
  summary: 'List connections, newest first',
  tag,
  right: 'connections.read',
  query: pageQuery.extend({
    provider: z.string().max(100).optional().describe('Lists the connections of this provider only'),
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
  summary: 'Get a connection',
  description: 'Its credentials are masked.',
  tag,
  right: 'connections.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, inWorkspace }) => {
    const found = await inWorkspace((trx) => createConnectionRepository(trx).findConnection(params.id));
    if (!found) throw connectionNotFound(params.id);
    return { status: 200, data: { connection: found.connection } };
  },
});

const updateConnectionRoute = route({
  method: 'PATCH',
  path: '/api/connections/:id',
  operationId: 'updateConnection',
  summary: 'Update a connection',
  description:
    'New `auth` replaces the old one as a whole and makes the connection `active` again. An endpoint at another origin ' +
    'needs new `auth` in the same request. `"status": "revoked"` deletes the credentials.',
  tag,
  right: 'connections.write',
  params: idParams,
  body: connectionChangeSchema.refine(
    (change) => Object.keys(change).length > 0,
    'expected at least one field',
  ),
  answers: { 200: answer },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params, body, actor, dependencies }) => {
    const connection = await updateConnection(dependencies, actor, { id: params.id, change: body });
    return { status: 200, data: { connection } };
  },
});

const deleteConnectionRoute = route({
  method: 'DELETE',
  path: '/api/connections/:id',
  operationId: 'deleteConnection',
  summary: 'Delete a connection',
  description: 'Deletes its credentials too. Calls of tools that use it are refused from then on.',
  tag,
  right: 'connections.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, actor, dependencies }) => {
    await deleteConnection(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const urlAnswer = z.object({
  url: z.string().describe('The address to open in the browser of the person who gives consent'),
});

const authorizeConnection = route({
  method: 'GET',
  path: '/api/connections/:id/authorize',
  operationId: 'authorizeConnection',
  summary: 'Start the authorization of a connection',
  description:
    'Creates the address at which a person gives consent, for auth of type `oauth2_authorization_code`. The address can ' +
    'be used once, within 10 minutes, and has to be opened in the browser of that person. After consent the browser shows ' +
    'a page of this server that names the connection and the workspace; when the person agrees there, the connection is ' +
    '`active`. The address to register at an authorization server is `/api/oauth/callback`.',
  tag,
  right: 'connections.write',
  params: idParams,
  query: z.strictObject({
    returnUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
      .max(2000)
      .optional()
      .describe('The last page links to this address'),
    redirect: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Answers with a redirect (302) to the address'),
  }),
  answers: { 200: urlAnswer, 302: urlAnswer },
  errors: ['AUTHORIZATION_FAILED', 'CONFLICT', 'EGRESS_REFUSED', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params, query, actor, dependencies }) => {
    const data = await startAuthorization(dependencies, actor, {
      connectionId: params.id,
      returnUrl: query.returnUrl,
    });
    const headers = { 'cache-control': 'no-store' };
    if (query.redirect === 'false') return { status: 200, data, headers };
    return { status: 302, data, headers: { ...headers, location: data.url } };
  },
});

const testConnectionRoute = route({
  method: 'POST',
  path: '/api/connections/:id/test',
  operationId: 'testConnection',
  summary: 'Test a connection',
  description:
    'Calls its server. `test` has the result; when the server refuses the call, this request still answers 200.',
  tag,
  right: 'connections.write',
  params: idParams,
  body: z.strictObject({}).nullish(),
  answers: { 200: z.object({ test: connectionTestSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const test = await testConnection(dependencies, actor, params.id);
    return { status: 200, data: { test } };
  },
});

/** The endpoints of connections. */
export const connectionRoutes = [
  createConnectionRoute,
  listConnections,
  getConnection,
  updateConnectionRoute,
  deleteConnectionRoute,
  authorizeConnection,
  testConnectionRoute,
];
