import { z } from 'zod';
import { createApiKeyRepository } from './api-key-repository.ts';
import { apiKeyInputSchema, apiKeySchema } from '../../../domain/api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import type { WorkspaceDependencies, WorkspaceLimits } from '../workspace-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';

const route = routesOf<WorkspaceDependencies & WorkspaceLimits>();
const tag = 'API keys';

const createApiKeyRoute = route({
  method: 'POST',
  path: '/api/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Only this answer contains the key itself, as `key`. Without `scopes` the key gets all scopes but `api_keys:write` ' +
    'and `payloads:read`. A key cannot create a key with scopes or groups that it lacks itself, and one with `actsFor` only ' +
    'keys with the same. A key that expires creates only keys that expire with it or earlier; without `expiresAt` with it. ' +
    'The key ends with its maker, and has no more than that may do now.',
  tag,
  right: 'keys.write',
  body: apiKeyInputSchema,
  answers: { 201: z.object({ apiKey: apiKeySchema, key: z.string() }) },
  errors: ['CONFLICT'],
  handler: async ({ body, actor, dependencies }) => {
    const data = await createApiKey(dependencies, actor, body);
    return { status: 201, data };
  },
});

const listApiKeys = route({
  method: 'GET',
  path: '/api/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys, newest first',
  tag,
  right: 'keys.write',
  query: pageQuery,
  answers: { 200: z.object({ apiKeys: z.array(apiKeySchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createApiKeyRepository(trx).listApiKeys(query));
    return { status: 200, data: { apiKeys: items, nextCursor } };
  },
});

const revokeApiKeyRoute = route({
  method: 'DELETE',
  path: '/api/api-keys/:id',
  operationId: 'revokeApiKey',
  clientName: 'apiKeys.revoke',
  summary: 'Revoke an API key',
  description:
    'Requests with it, and with the keys and tokens that it has made, are refused from now on. A key may revoke itself, and ' +
    'keys whose scopes, groups, person and expiry lie within its own.',
  tag,
  right: 'keys.write',
  params: idParams,
  answers: { 200: z.object({ apiKey: apiKeySchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const apiKey = await revokeApiKey(dependencies, actor, params.id);
    return { status: 200, data: { apiKey } };
  },
});

/** The endpoints of API keys. */
export const apiKeyRoutes = [createApiKeyRoute, listApiKeys, revokeApiKeyRoute];
