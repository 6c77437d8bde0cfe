import { z } from 'zod';
import { createApiKeyText } from '../../workspaces/api-key-text.ts';
import { createApiKeyRepository } from '../../db/workspaces/api-key-repository.ts';
import { apiKeyInputSchema, apiKeySchema } from '../../domain/api-key.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { newId } from '../../lib/ids.ts';
import { checkApiKeyInput } from '../../workspaces/check-api-key.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';

const tag = 'API keys';

const createApiKey = route({
  method: 'POST',
  path: '/api/api-keys',
  operationId: 'createApiKey',
  summary: 'Make an API key',
  description:
    'The answer is the only place where `key`, the key itself, is ever shown. Without `scopes` the key may do ' +
    'everything but manage keys and read payloads (`payloads:read`). No key can make one that may do more than itself.',
  tag,
  scope: 'api_keys:write',
  body: apiKeyInputSchema,
  answers: { 201: z.object({ apiKey: apiKeySchema, key: z.string() }) },
  handler: async ({ body, principal, inWorkspace }) => {
    const checked = checkApiKeyInput(body, principal);
    const id = newId();
    const { text, secretHash } = createApiKeyText(id);
    const apiKey = await inWorkspace((trx) =>
      createApiKeyRepository(trx).createApiKey({ ...checked, id, secretHash }),
    );
    return { status: 201, data: { apiKey, key: text } };
  },
});

const listApiKeys = route({
  method: 'GET',
  path: '/api/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys, newest first',
  tag,
  scope: 'api_keys:write',
  query: pageQuery,
  answers: { 200: z.object({ apiKeys: z.array(apiKeySchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createApiKeyRepository(trx).listApiKeys(query));
    return { status: 200, data: { apiKeys: items, nextCursor } };
  },
});

const revokeApiKey = route({
  method: 'DELETE',
  path: '/api/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Make an API key useless from now on',
  tag,
  scope: 'api_keys:write',
  params: idParams,
  answers: { 200: z.object({ apiKey: apiKeySchema }) },
  handler: async ({ params, inWorkspace }) => {
    const apiKey = await inWorkspace((trx) => createApiKeyRepository(trx).revokeApiKey(params.id));
    if (!apiKey) throw new HoldfastError('NOT_FOUND', `There is no API key ${params.id}.`);
    return { status: 200, data: { apiKey } };
  },
});

/** What can be done with API keys. */
export const apiKeyRoutes = [createApiKey, listApiKeys, revokeApiKey];
