import { z } from 'zod';
import { createDeliveryRepository } from './delivery-repository.ts';
import { createWebhookRepository } from '../webhook-repository.ts';
import { deliveryDetailsSchema, deliverySchema, deliveryStatuses } from '../../../domain/webhook.ts';
import { resendDelivery } from './resend-delivery.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';

const route = routesOf<WebhookDependencies>();
const tag = 'webhooks';
const params = idParams.extend({ deliveryId: z.uuid() });
const answer = z.object({ delivery: deliveryDetailsSchema });

const listWebhookDeliveries = route({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook, newest first',
  tag,
  right: 'webhooks.read',
  params: idParams,
  query: pageQuery.extend({ status: z.enum(deliveryStatuses).optional() }),
  answers: { 200: z.object({ deliveries: z.array(deliverySchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params: { id }, query, inWorkspace }) => {
    const page = await inWorkspace(async (trx) => {
      const webhook = await createWebhookRepository(trx).getWebhook(id);
      return createDeliveryRepository(trx).listDeliveries({ ...query, webhookId: webhook.id });
    });
    return { status: 200, data: { deliveries: page.items, nextCursor: page.nextCursor } };
  },
});

const getWebhookDelivery = route({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries/:deliveryId',
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its attempts',
  tag,
  right: 'webhooks.read',
  params,
  answers: { 200: answer },
  handler: async ({ params: { id, deliveryId }, inWorkspace }) => {
    const delivery = await inWorkspace(async (trx) => {
      const webhook = await createWebhookRepository(trx).getWebhook(id);
      return createDeliveryRepository(trx).getDelivery(webhook.id, deliveryId);
    });
    return { status: 200, data: { delivery } };
  },
});

const resendWebhookDelivery = route({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:deliveryId/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Send a message again',
  description:
    'Attempts the delivery once more, under the same `webhook-id`. A delivery that still waits gets its next attempt now; ' +
    'one that is over gets a single attempt.',
  tag,
  right: 'webhooks.write',
  params,
  body: z.strictObject({}).nullish(),
  answers: { 202: answer },
  errors: ['CONFLICT'],
  handler: async ({ params: delivery, actor, dependencies, log }) => {
    const resent = await resendDelivery({ ...dependencies, logger: log }, actor, delivery);
    return { status: 202, data: { delivery: resent } };
  },
});

/** The endpoints of the deliveries of webhooks. */
export const webhookDeliveryRoutes = [listWebhookDeliveries, getWebhookDelivery, resendWebhookDelivery];
