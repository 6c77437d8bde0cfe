import { describe, expect, test } from 'vitest';
import { createActionRepository } from '../../../src/modules/actions/action-repository.ts';
import { createWaitingTurnRepository } from '../../../src/modules/actions/waiting-turn-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { createSteeringRepository } from '../../../src/modules/turns/messages/steering-repository.ts';
import { createTurnRepository } from '../../../src/modules/turns/turn-repository.ts';
import { deliverAfterCommits } from '../../../src/modules/webhooks/deliveries/deliver-after-commits.ts';
import { notifyWebhooksInside } from '../../../src/platform/outbox/notify-webhooks.ts';
import type { Query } from '../../../src/platform/database/statement.ts';
import type { WebhookEvent } from '../../../src/domain/webhook.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import type { DeliveryRef } from '../../../src/modules/webhooks/deliveries/delivery-contract.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import {
  createAnswer,
  createToolCall,
  insertWebhook,
  openTurnRows,
  type RowRef,
} from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

/** A workspace with webhooks, the database with its look at commits, and a turn whose call waits for an approval. */
async function startScene(events: WebhookEvent[][]) {
  const place = await rows.createConversation();
  const webhookIds: string[] = [];
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    for (const wanted of events) webhookIds.push(await insertWebhook(trx, { events: wanted }));
  });
  await rows.database.system('webhook_deliveries').whereIn('webhook_id', webhookIds).delete();
  const started: DeliveryRef[] = [];
  const database = deliverAfterCommits(rows.database, (deliveries) => void started.push(...deliveries));
  const transact = <Result>(run: (query: Query) => Promise<Result>) =>
    database.transact(place.workspaceId, run);
  return { place, webhookIds, started, database, transact };
}

async function listDeliveries({ workspaceId }: Pick<RowRef, 'workspaceId'>) {
  return rows.database
    .system('webhook_deliveries')
    .where({ workspace_id: workspaceId })
    .orderBy('id')
    .select<{ id: string; webhook_id: string; type: string; data: object; status: string }[]>('*');
}

/** Lets the call of a new turn wait for an approval. */
async function ask({ place, transact }: Awaited<ReturnType<typeof startScene>>, timeoutMs = 60_000) {
  const { turn } = await rows.submit(place, { message: 'planted message' });
  const input = { planted: 'planted argument' };
  const call = { ...createToolCall(0), arguments: input };
  const answer = createAnswer(turn.id, { text: 'planted text', toolCalls: [call], claimId: newId() });
  const action = await transact(async (query) => {
    await createTurnAnswerRepository(query).storeAnswer(answer);
    const approval = { toolCallId: call.id, arguments: input, hash: 'hash', timeoutMs };
    return createActionRepository(query).request(approval);
  });
  const ids = {
    actionId: action?.id,
    kind: 'approval',
    turnId: turn.id,
    rootTurnId: turn.id,
    conversationId: place.conversationId,
    toolCallId: call.id,
  };
  return { turnId: turn.id, actionId: action?.id ?? '', ids };
}

describe('the end of a turn', () => {
  test('by an answer is told to the webhooks that want it, once each, without its text', async () => {
    const scene = await startScene([
      ['turn.settled'],
      ['turn.settled', 'document.ready'],
      ['document.ready'],
    ]);
    const { place, webhookIds, started, transact } = scene;
    const { turn } = await rows.submit(place);
    const end = createAnswer(turn.id, { text: 'planted answer', outcome: 'completed' });
    await transact((query) => createTurnAnswerRepository(query).storeAnswer(end));
    await transact((query) => createTurnAnswerRepository(query).storeAnswer(end));

    const told = await listDeliveries(place);
    expect(told.map((one) => one.webhook_id).toSorted()).toEqual(webhookIds.slice(0, 2).toSorted());
    expect(told[0]).toMatchObject({
      type: 'turn.settled',
      status: 'pending',
      data: {
        turnId: turn.id,
        conversationId: place.conversationId,
        agentId: place.agentId,
        outcome: 'completed',
      },
    });
    expect(JSON.stringify(told)).not.toContain('planted');
    expect(started.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(
      told.map(({ id }) => id).toSorted(),
    );
    expect(started[0]?.workspaceId).toBe(place.workspaceId);
  });

  test('is told when it was settled, and when it was cancelled in the queue', async () => {
    const { place, started, transact } = await startScene([['turn.settled']]);
    const { turn } = await rows.submit(place);
    const queued = await rows.submit(place, { onBusy: 'enqueue' });
    await transact((query) => createTurnRepository(query).requestCancel(queued.turn.id));
    await transact((query) =>
      createTurnAnswerRepository(query).settleTurn({
        ...{ turnId: turn.id, outcome: 'timed_out', answer: '', error: null },
        event: { type: 'turn.settled', payload: {} } as never,
      }),
    );

    expect((await listDeliveries(place)).map(({ data }) => data)).toMatchObject([
      { turnId: queued.turn.id, outcome: 'cancelled' },
      { turnId: turn.id, outcome: 'timed_out' },
    ]);
    expect(started).toHaveLength(2);
  });

  test('is told of a queued turn whose message steers another one, or is withdrawn', async () => {
    const { place, started, transact } = await startScene([['turn.settled']]);
    const { turn } = await rows.submit(place);
    const steering = await rows.submit(place, { onBusy: 'enqueue' });
    const withdrawn = await rows.submit(place, { onBusy: 'enqueue' });
    await transact(async (query) => {
      const steps = createSteeringRepository(query);
      await steps.steer(steering.turn.id);
      await steps.take(turn.id);
      await steps.endTaken(turn.id, 2);
    });
    const message = { ...withdrawn.turn, messageId: newId() };
    await transact((query) => createSteeringRepository(query).withdraw(message));

    expect((await listDeliveries(place)).map(({ data }) => data)).toMatchObject([
      { turnId: steering.turn.id, outcome: 'steered' },
      { turnId: withdrawn.turn.id, outcome: 'cancelled' },
    ]);
    expect(started).toHaveLength(2);
  });

  test('is not told of an answer that goes on, nor of a turn that a tool call has started', async () => {
    const { place, started, transact } = await startScene([['turn.settled']]);
    const top = await rows.submit(place);
    const other = await rows.createConversation({}, place.workspaceId);
    const child = await rows.submit(other);
    await rows.database.system('turns').where({ id: child.turn.id }).update({ parent_turn_id: top.turn.id });
    await transact((query) => createTurnAnswerRepository(query).storeAnswer(createAnswer(top.turn.id)));
    await transact((query) =>
      createTurnAnswerRepository(query).storeAnswer(createAnswer(child.turn.id, { outcome: 'completed' })),
    );

    expect(await listDeliveries(place)).toEqual([]);
    expect(started).toEqual([]);
  });

  test('is not told when its transaction was rolled back, by a disabled webhook, or in another workspace', async () => {
    const { place, webhookIds, started, transact } = await startScene([['turn.settled'], ['turn.settled']]);
    await startScene([['turn.settled']]);
    await rows.database.system('webhooks').where({ id: webhookIds[0] }).update({ disabled_at: new Date() });
    const { turn } = await rows.submit(place);
    const end = createAnswer(turn.id, { outcome: 'completed' });
    await expect(
      transact(async (query) => {
        await createTurnAnswerRepository(query).storeAnswer(end);
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(started).toEqual([]);
    await transact((query) => createTurnAnswerRepository(query).storeAnswer(end));

    expect((await listDeliveries(place)).map((one) => one.webhook_id)).toEqual([webhookIds[1]]);
  });
});

describe('an action', () => {
  const wanted: WebhookEvent[] = [
    'turn.action_required',
    'action.reminded',
    'action.decided',
    'action.expired',
  ];

  test('is told when it is requested and decided, by ids alone', async () => {
    const scene = await startScene([wanted]);
    const { place, started, transact } = scene;
    const { actionId, ids } = await ask(scene);
    await transact((query) =>
      createActionRepository(query).decide({
        ...{ actionId, status: 'rejected', reason: 'planted reason', hash: 'hash' },
        decidedBy: { apiKeyId: null, actingFor: 'planted person' },
        approvedArguments: null,
      }),
    );

    const told = await listDeliveries(place);
    expect(told.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'turn.action_required', data: { ...ids, status: 'pending' } },
      { type: 'action.decided', data: { ...ids, status: 'rejected' } },
    ]);
    expect(JSON.stringify(told)).not.toContain('planted');
    expect(started.map(({ deliveryId }) => deliveryId)).toEqual(told.map(({ id }) => id));
  });

  test('is told when somebody is reminded of it, and when it expires', async () => {
    const scene = await startScene([wanted]);
    const { place, started, transact } = scene;
    const { turnId, actionId, ids } = await ask(scene);
    const applyTime = () => transact((query) => createWaitingTurnRepository(query).applyTime(turnId));
    const past = { remind_at: new Date(0) };
    await rows.database.system('pending_actions').where({ id: actionId }).update(past);
    await applyTime();
    await applyTime();
    await rows.database
      .system('pending_actions')
      .where({ id: actionId })
      .update({ expires_at: new Date(0) });
    await applyTime();
    await applyTime();

    expect((await listDeliveries(place)).map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'turn.action_required', data: { ...ids, status: 'pending' } },
      { type: 'action.reminded', data: { ...ids, status: 'pending' } },
      { type: 'action.expired', data: { ...ids, status: 'expired' } },
    ]);
    expect(started).toHaveLength(3);
  });
});

test('what a transaction of knex tells is announced after its commit, and not after a rollback', async () => {
  const { place, started, database } = await startScene([['document.ready']]);
  const tell = (fails: boolean) =>
    database.inWorkspace(place.workspaceId, async (trx) => {
      await notifyWebhooksInside(trx, 'document.ready', { documentId: 'one' });
      await notifyWebhooksInside(trx, 'document.failed', { documentId: 'two' });
      expect(started).toEqual([]);
      if (fails) throw new Error('broken');
    });
  await expect(tell(true)).rejects.toThrow('broken');
  expect(started).toEqual([]);
  await tell(false);

  const told = await listDeliveries(place);
  expect(told).toMatchObject([{ type: 'document.ready', data: { documentId: 'one' } }]);
  expect(started).toEqual([{ workspaceId: place.workspaceId, deliveryId: told[0]?.id }]);
});

test('ids of deliveries are of version 7 and in the order of their time', async () => {
  const { rows: made } = await rows.database.system.raw<{ rows: { id: string }[] }>(
    'SELECT new_timed_id() AS id FROM generate_series(1, 3)',
  );
  for (const { id } of made) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  }
});
