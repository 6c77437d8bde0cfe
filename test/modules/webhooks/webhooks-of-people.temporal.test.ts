import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveryRepository } from '../../../src/modules/webhooks/deliveries/delivery-repository.ts';
import { resendDelivery } from '../../../src/modules/webhooks/deliveries/resend-delivery.ts';
import { loadActor } from '../../../src/modules/workspaces/stored-actor.ts';
import type { WebhookEvent } from '../../../src/domain/webhook.ts';
import { toRowScope } from '../../../src/domain/row-scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createBoundKey } from '../../labs/bound-key.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startWebhookScene } from '../../labs/webhook-scene.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

const events: WebhookEvent[] = ['turn.settled', 'turn.action_required', 'inbox.message', 'document.ready'];

async function createActor(person: string) {
  const { workspaceId } = lab;
  const ref = await createBoundKey(lab, person);
  const actor = await lab.database.transact(workspaceId, (query) => loadActor(query, { workspaceId, ref }));
  if (!actor) throw new Error('the key has no actor');
  return actor;
}

/** The data of the message about the end of a turn of a person. */
async function createTurn(person: string, sharedWith: string[] = []) {
  const { conversationId } = await lab.scene();
  await lab.database
    .system('conversations')
    .where({ id: conversationId })
    .update({ person, shared_with: sharedWith });
  return { turnId: newId(), conversationId, agentId: newId(), outcome: 'completed' };
}

test('the webhook of a key for one person is told of what that person sees', async () => {
  const ann = await createActor('Ann');
  const webhook = await startWebhookScene(lab, events, { maker: ann });
  const [own, shared, other] = [
    await createTurn('ann'),
    await createTurn('bob', ['ann']),
    await createTurn('bob'),
  ];
  const told = async (type: WebhookEvent, data: Record<string, string>) => {
    const id = await webhook.deliver(type, data);
    const delivery = await webhook.waitFor((newest) => newest.id === id && newest.status !== 'pending');
    return delivery.status;
  };
  const { conversationId } = other;
  const message = { messageId: newId(), agentId: newId(), conversationId };
  expect(await told('turn.settled', own)).toBe('delivered');
  expect(await told('turn.settled', shared)).toBe('delivered');
  expect(await told('document.ready', { documentId: newId(), knowledgeBaseId: newId() })).toBe('delivered');
  expect(await told('inbox.message', { ...message, person: ' ANN' })).toBe('delivered');
  expect(await told('turn.settled', other)).toBe('cancelled');
  expect(await told('inbox.message', { ...message, person: 'Bob' })).toBe('cancelled');
  expect(await told('turn.action_required', { actionId: newId(), conversationId })).toBe('cancelled');
  expect(webhook.receiver.requests.map(({ body }) => body).join()).not.toContain(
    conversationId + '","outcome',
  );

  // A conversation that is not shared any more causes no more messages.
  await lab.database.system('conversations').where({ id: shared.conversationId }).update({ shared_with: [] });
  expect(await told('turn.settled', shared)).toBe('cancelled');
});

test('a webhook that a key for one person has changed is told of what that person sees', async () => {
  const webhook = await startWebhookScene(lab, events);
  const other = await createTurn('bob');
  await webhook.deliver('turn.settled', other);
  await webhook.waitFor(({ status }) => status === 'delivered');
  await webhook.change(await createActor('Ann'), { events: ['turn.settled'] });
  const id = await webhook.deliver('turn.settled', other);
  await webhook.waitFor((newest) => newest.id === id && newest.status === 'cancelled');
  expect(webhook.receiver.requests).toHaveLength(1);
});

test('a key for one person finds and sends again no message about another person', async () => {
  const webhook = await startWebhookScene(lab, events);
  const [own, other] = [await createTurn('ann'), await createTurn('bob')];
  const [ownId, otherId] = [
    await webhook.deliver('turn.settled', own),
    await webhook.deliver('turn.settled', other),
  ];
  await webhook.waitForRequests(2);
  const ann = await createActor('Ann');
  const found = await lab.database.inWorkspace(toRowScope(ann), (trx) =>
    createDeliveryRepository(trx).listDeliveries({ webhookId: webhook.id, limit: 10 }),
  );
  expect(found.items.map(({ id }) => id)).toEqual([ownId]);
  const dependencies = {
    ...{ database: lab.database, startDelivery: () => Promise.resolve() },
    logger: { warn: () => undefined },
  };
  await expect(
    resendDelivery(dependencies, ann, { id: webhook.id, deliveryId: otherId }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
