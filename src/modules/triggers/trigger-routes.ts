import { z } from 'zod';
import { createTriggerDeliveryRepository } from './trigger-delivery-repository.ts';
import { createTriggerRepository } from './trigger-repository.ts';
import {
  triggerChangeSchema,
  triggerDeliveryDetailsSchema,
  triggerDeliverySchema,
  triggerDeliveryStatuses,
  triggerInputSchema,
  triggerSchema,
  triggerSecretSchema,
} from './trigger.ts';
import { changeTrigger, createTrigger, deleteTrigger, withUrl } from './change-trigger.ts';
import { retryDelivery } from './retry-delivery.ts';
import { rotateTriggerSecret } from './rotate-trigger-secret.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<TriggerDependencies>();
const tag = 'triggers';
const answer = z.object({ trigger: triggerSchema });
const answerWithSecret = z.object({
  trigger: triggerSchema,
  secret: z
    .string()
    .nullable()
    .describe('The secret that was made, to register with the vendor; it cannot be read again'),
});

const createTriggerRoute = route({
  method: 'POST',
  path: '/api/triggers',
  operationId: 'createTrigger',
  summary: 'Create a trigger',
  description:
    'Lets webhooks of a vendor start a turn or a run of a routine. Register the `url` of the answer with the vendor. Each ' +
    'delivery is verified by the signature of the vendor, and starts one turn or run however often it comes. A trigger of a ' +
    'routine needs the scope `routines:write` as well. A workspace has at most 200 triggers.',
  tag,
  right: 'triggers.write',
  body: triggerInputSchema,
  answers: { 201: answerWithSecret },
  errors: ['CONFLICT', 'FORBIDDEN', 'SECRETS_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  handler: async ({ body, actor, dependencies }) => {
    return { status: 201, data: await createTrigger(dependencies, actor, body) };
  },
});

const listTriggers = route({
  method: 'GET',
  path: '/api/triggers',
  operationId: 'listTriggers',
  summary: 'List triggers, newest first',
  tag,
  right: 'triggers.read',
  query: pageQuery,
  answers: { 200: z.object({ triggers: z.array(triggerSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace, dependencies }) => {
    const page = await inWorkspace((trx) => createTriggerRepository(trx).listTriggers(query));
    const triggers = page.items.map((trigger) => withUrl(dependencies, trigger));
    return { status: 200, data: { triggers, nextCursor: page.nextCursor } };
  },
});

const getTrigger = route({
  method: 'GET',
  path: '/api/triggers/:id',
  operationId: 'getTrigger',
  summary: 'Get a trigger',
  tag,
  right: 'triggers.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, inWorkspace, dependencies }) => {
    const trigger = await inWorkspace((trx) => createTriggerRepository(trx).getTrigger(params.id));
    return { status: 200, data: { trigger: withUrl(dependencies, trigger) } };
  },
});

const updateTrigger = route({
  method: 'PATCH',
  path: '/api/triggers/:id',
  operationId: 'updateTrigger',
  summary: 'Update a trigger',
  description:
    'Each field in the body is replaced as a whole; the other fields stay. While a trigger is paused, deliveries are ' +
    'answered and start nothing. Deliveries that were accepted before keep the action that the trigger had.',
  tag,
  right: 'triggers.write',
  params: idParams,
  body: triggerChangeSchema,
  answers: { 200: answer },
  errors: ['FORBIDDEN', 'SERVICE_UNAVAILABLE'],
  handler: async ({ params: { id }, body: change, actor, dependencies }) => {
    return { status: 200, data: { trigger: await changeTrigger(dependencies, actor, { id, change }) } };
  },
});

const deleteTriggerRoute = route({
  method: 'DELETE',
  path: '/api/triggers/:id',
  operationId: 'deleteTrigger',
  summary: 'Delete a trigger',
  description: 'Deletes its secrets and the list of its deliveries too. Work that has begun goes on.',
  tag,
  right: 'triggers.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteTrigger(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const rotateSecret = route({
  method: 'POST',
  path: '/api/triggers/:id/rotate-secret',
  operationId: 'rotateTriggerSecret',
  summary: 'Set or rotate the secret of a trigger',
  description:
    'Sets the secret that a vendor has made, or makes a new one. For the time of the overlap deliveries that are signed by ' +
    'the secret before count as well.',
  tag,
  right: 'triggers.write',
  params: idParams,
  body: triggerSecretSchema.nullish(),
  answers: { 200: answerWithSecret },
  errors: ['CONFLICT', 'SECRETS_UNAVAILABLE'],
  handler: async ({ params: { id }, body, actor, dependencies }) => {
    const rotation = body ?? triggerSecretSchema.parse({});
    return { status: 200, data: await rotateTriggerSecret(dependencies, actor, { ...rotation, id }) };
  },
});

const listTriggerDeliveries = route({
  method: 'GET',
  path: '/api/triggers/:id/deliveries',
  operationId: 'listTriggerDeliveries',
  summary: 'List the deliveries to a trigger, newest first',
  description:
    'Deliveries are listed for 90 days. Of requests without a valid signature one a minute is listed.',
  tag,
  right: 'triggers.read',
  params: idParams,
  query: pageQuery.extend({ status: z.enum(triggerDeliveryStatuses).optional() }),
  answers: { 200: z.object({ deliveries: z.array(triggerDeliverySchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params: { id }, query, inWorkspace }) => {
    const page = await inWorkspace(async (trx) => {
      const trigger = await createTriggerRepository(trx).getTrigger(id);
      return createTriggerDeliveryRepository(trx).listDeliveries({ ...query, triggerId: trigger.id });
    });
    return { status: 200, data: { deliveries: page.items, nextCursor: page.nextCursor } };
  },
});

const getTriggerDelivery = route({
  method: 'GET',
  path: '/api/triggers/:id/deliveries/:deliveryId',
  operationId: 'getTriggerDelivery',
  summary: 'Get a delivery with its payload',
  description:
    'The payload of a delivery that was ignored or refused at once is not kept, others for three days.',
  tag,
  right: 'triggers.read',
  params: idParams.extend({ deliveryId: z.uuid() }),
  answers: { 200: z.object({ delivery: triggerDeliveryDetailsSchema }) },
  handler: async ({ params: { id, deliveryId }, inWorkspace }) => {
    const delivery = await inWorkspace(async (trx) => {
      const trigger = await createTriggerRepository(trx).getTrigger(id);
      return createTriggerDeliveryRepository(trx).getDelivery(trigger.id, deliveryId);
    });
    return { status: 200, data: { delivery } };
  },
});

const retryTriggerDelivery = route({
  method: 'POST',
  path: '/api/triggers/:id/deliveries/:deliveryId/retry',
  operationId: 'retryTriggerDelivery',
  summary: 'Start a delivery that has started nothing',
  description:
    'Starts a delivery that has failed, or that the filter has ignored, with the action and filter that the trigger has now. ' +
    'A vendor that delivers it again starts nothing.',
  tag,
  right: 'triggers.write',
  params: idParams.extend({ deliveryId: z.uuid() }),
  body: z.strictObject({}).nullish(),
  answers: { 202: z.object({ delivery: triggerDeliveryDetailsSchema }) },
  errors: ['CONFLICT'],
  handler: async ({ params, actor, dependencies }) => {
    return { status: 202, data: { delivery: await retryDelivery(dependencies, actor, params) } };
  },
});

/** The endpoints of triggers. */
export const triggerRoutes = [
  createTriggerRoute,
  listTriggers,
  getTrigger,
  updateTrigger,
  deleteTriggerRoute,
  rotateSecret,
  listTriggerDeliveries,
  getTriggerDelivery,
  retryTriggerDelivery,
];
