import { z } from 'zod';
import { createWebhookRepository } from './webhook-repository.ts';
import {
  secretRotationSchema,
  webhookChangeSchema,
  webhookInputSchema,
  webhookSchema,
} from '../../domain/webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { rotateSecret } from './rotate-secret.ts';
import { deleteWebhook, updateWebhook } from './update-webhook.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<WebhookDependencies>();
const tag = 'webhooks';
const answer = z.object({ webhook: webhookSchema });
const secretDescription = 'Verifies the messages; it cannot be read again';
const answerWithSecret = z.object({ webhook: webhookSchema, secret: z.string().describe(secretDescription) });

const createWebhookRoute = route({
  method: 'POST',
  path: '/api/webhooks',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Its URL gets a signed message about each of these events of the workspace, by Standard Webhooks 1.0. The answer shows ' +
    'the secret, which is stored encrypted and not shown again. With `slack` in place of `url` and `events`, a channel of ' +
    'Slack gets a message with buttons for each approval. A workspace has at most 20 webhooks.',
  tag,
  right: 'webhooks.write',
  body: webhookInputSchema,
  answers: {
    201: z.object({ webhook: webhookSchema, secret: z.string().nullable().describe(secretDescription) }),
  },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ body, actor, dependencies }) => {
    return { status: 201, data: await createWebhook(dependencies, actor, body) };
  },
});

const listWebhooks = route({
  method: 'GET',
  path: '/api/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks, newest first',
  tag,
  right: 'webhooks.read',
  query: pageQuery,
  answers: { 200: z.object({ webhooks: z.array(webhookSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createWebhookRepository(trx).listWebhooks(query));
    return { status: 200, data: { webhooks: page.items, nextCursor: page.nextCursor } };
  },
});

const getWebhook = route({
  method: 'GET',
  path: '/api/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'A webhook that was disabled says when and why.',
  tag,
  right: 'webhooks.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, inWorkspace }) => {
    const webhook = await inWorkspace((trx) => createWebhookRepository(trx).getWebhook(params.id));
    return { status: 200, data: { webhook } };
  },
});

const updateWebhookRoute = route({
  method: 'PATCH',
  path: '/api/webhooks/:id',
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    '`"enabled": true` enables a webhook that was disabled; it is told of what happens from then on. Disabling it cancels ' +
    'what waits to be delivered.',
  tag,
  right: 'webhooks.write',
  params: idParams,
  body: webhookChangeSchema,
  answers: { 200: answer },
  errors: ['SECRETS_UNAVAILABLE'],
  handler: async ({ params, body, actor, dependencies }) => {
    const webhook = await updateWebhook(dependencies, actor, { id: params.id, change: body });
    return { status: 200, data: { webhook } };
  },
});

const deleteWebhookRoute = route({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Deletes its secrets and its deliveries too. What waits to be delivered is cancelled.',
  tag,
  right: 'webhooks.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteWebhook(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const rotateWebhookSecret = route({
  method: 'POST',
  path: '/api/webhooks/:id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description:
    'The answer shows the new secret. For the time of the overlap messages are signed by the old secret too, so that ' +
    'receivers can change theirs meanwhile.',
  tag,
  right: 'webhooks.write',
  params: idParams,
  body: secretRotationSchema.nullish(),
  answers: { 200: answerWithSecret },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params, body, actor, dependencies }) => {
    const rotation = body ?? secretRotationSchema.parse({});
    const data = await rotateSecret(dependencies, actor, { ...rotation, id: params.id });
    return { status: 200, data };
  },
});

/** The endpoints of webhooks. */
export const webhookRoutes = [
  createWebhookRoute,
  listWebhooks,
  getWebhook,
  updateWebhookRoute,
  deleteWebhookRoute,
  rotateWebhookSecret,
];
