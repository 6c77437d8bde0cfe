import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { HoldfastClient } from 'holdfast/client';
import { startHoldfast } from 'holdfast/testing';
import { Webhook } from 'standardwebhooks';
import { support } from '../agents/support.ts';
import { createApp } from '../server.ts';
import { prepare, setUp } from '../set-up.ts';
import { listRefunds } from '../shop.ts';
import { startWarehouse } from '../warehouse.ts';

// The functions run in the worker, which inherits the variables of this process.
const shopData = mkdtempSync(path.join(tmpdir(), 'shop-'));
process.env['SHOP_DATA'] = shopData;

const warehouse = await startWarehouse(0);
const holdfast = await startHoldfast({
  agents: [support],
  variables: { SHOP_DATA: shopData },
  prepare: (client) => prepare(client, warehouse.url),
});
const origin = `http://127.0.0.1:${await findFreePort()}`;
const secrets = await setUp(holdfast.client, origin);
const told: { type: string; data: object }[] = [];
const app = createApp({
  ...{ holdfast: holdfast.client, onMessage: (type, data) => told.push({ type, data }) },
  ...{ webhookSecret: secrets.webhookSecret, routineId: secrets.routineId },
});
app.listen(Number(new URL(origin).port), '127.0.0.1');
await once(app, 'listening');

after(async () => {
  app.close();
  await holdfast.stop();
  warehouse.server.close();
  rmSync(shopData, { recursive: true });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const patienceMs = 60_000;

/** Waits until something is there. */
async function eventually<Found>(find: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(Date.now() < endsAt, 'It did not come.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface ChatEvent {
  type: string;
  payload?: { answer?: string };
}

/** Sends a message as a browser does, and returns the events of its answer. */
async function chat(message: string, cookie: string): Promise<ChatEvent[]> {
  const response = await fetch(`${origin}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ message }),
  });
  assert.equal(response.status, 200);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as ChatEvent);
}

const ann = 'session=7c1f';
const isFor = (turnId: string) => (one: { data: object }) =>
  'turnId' in one.data && one.data.turnId === turnId;

test('a customer gets an answer from the handbook and the warehouse', async () => {
  holdfast.script(
    {
      calls: [
        { name: 'handbook', arguments: { query: 'damaged items' } },
        { name: 'stock', arguments: { item: 'kettle' } },
      ],
    },
    { text: 'We have 12 more, and pay yours back.' },
  );
  const turn = await holdfast.ask(support, 'My kettle came broken. Have you another one?');
  const [searched, asked] = turn.toolCalls;
  assert.match(searched?.result ?? '', /A damaged item is paid back at once/);
  assert.equal(asked?.result, '12 pieces of "kettle" are in stock.');
  assert.equal(turn.answer, 'We have 12 more, and pay yours back.');
});

test('a small refund is paid at once, and once', async () => {
  holdfast.script(
    { calls: [{ name: 'refund', arguments: { order: 'A-17', euros: 39 } }] },
    { text: 'Paid back.' },
  );
  const turn = await holdfast.ask(support, 'Pay my kettle back.');
  assert.equal(turn.toolCalls[0]?.status, 'succeeded');
  assert.deepEqual(
    listRefunds().map(({ order, euros }) => [order, euros]),
    [['A-17', 39]],
  );
});

test('somebody of finance decides about a large refund, and the shop is told', async () => {
  const bob = await holdfast.as({ person: 'bob', groups: ['finance'] });
  const eve = await holdfast.as({ person: 'eve' });
  holdfast.script(
    { calls: [{ name: 'refund', arguments: { order: 'A-18', euros: 480 } }] },
    { text: 'Finance did not agree.' },
  );
  const turn = await holdfast.ask(support, 'Pay my espresso machine back.', {
    onAction: async ({ id }) => {
      await assert.rejects(eve.pendingActions.decide(id, { decision: 'approve' }), {
        code: 'NOT_AN_APPROVER',
      });
      await bob.pendingActions.decide(id, { decision: 'reject', reason: 'There is no photo.' });
    },
  });
  assert.equal(turn.answer, 'Finance did not agree.');
  assert.equal(listRefunds().length, 1);
  await eventually(() => told.filter(isFor(turn.id)).find(({ type }) => type === 'turn.action_required'));
  await eventually(() => told.filter(isFor(turn.id)).find(({ type }) => type === 'turn.settled'));
});

test('a browser reads the answer as it comes, and another customer does not see the conversation', async () => {
  holdfast.script({ text: 'Good morning.' });
  const events = await chat('Good morning!', ann);
  assert.equal(events[0]?.type, 'turn.accepted');
  assert.equal(events.at(-1)?.type, 'turn.settled');
  assert.equal(events.at(-1)?.payload?.answer, 'Good morning.');
  holdfast.script({ text: 'Hello.' });
  await chat('Hello!', 'session=93ab');
  const { messages = [] } = holdfast.requests.at(-1) ?? {};
  assert.ok(!JSON.stringify(messages).includes('Good morning'));
  const unknown = await fetch(`${origin}/chat`, { method: 'POST', body: '{}' });
  assert.equal(unknown.status, 401);
});

test('a forged webhook is refused', async () => {
  const response = await fetch(`${origin}/hooks`, {
    method: 'POST',
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '0', 'webhook-signature': 'v1,forged' },
    body: '{}',
  });
  assert.ok([400, 401].includes(response.status));
});

test('a parcel that comes back starts a turn', async () => {
  holdfast.script({ text: 'The customer was told.' });
  const body = JSON.stringify({
    type: 'parcel.returned',
    timestamp: new Date().toISOString(),
    data: { order: 'A-17', customer: 'customer-42' },
  });
  const sentAt = new Date();
  const signature = new Webhook(secrets.returnsSecret).sign('msg_parcel', sentAt, body);
  const delivered = await fetch(secrets.returnsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_parcel',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signature,
    },
    body,
  });
  assert.ok(delivered.ok, await delivered.text());
  const turn = await findTurn(holdfast.client, 'customer-42', 'The parcel of order A-17 came back');
  assert.equal(turn.answer, 'The customer was told.');
});

/** Waits for the turn of a person that answers a message which begins so. */
async function findTurn(client: HoldfastClient, person: string, message: string) {
  return eventually(async () => {
    const { items } = await client.turns.find({ person, outcome: 'completed' });
    for (const { id, conversationId } of items) {
      const page = await client.conversations.messages(conversationId);
      if (page.items.some(({ text }) => text.startsWith(message))) return client.turns.get(id);
    }
    return undefined;
  });
}

test('the morning report runs when it is asked for', async () => {
  holdfast.script(
    { calls: [{ name: 'stock', arguments: { item: 'espresso machine' } }] },
    { text: 'Espresso machines are out of stock.' },
  );
  const { items } = await holdfast.client.schedules.list();
  const schedule = items.find(({ name }) => name === 'Morning report');
  assert.ok(schedule);
  await holdfast.client.schedules.run(schedule.id);
  const run = await eventually(async () => {
    const runs = await holdfast.client.schedules.runs.list(schedule.id);
    return runs.items.find(({ status }) => status === 'completed');
  });
  const turn = await holdfast.client.turns.get(run.turnId ?? '');
  assert.equal(turn.answer, 'Espresso machines are out of stock.');
});

test('a follow-up looks the order up and asks the customer', async () => {
  const response = await fetch(`${origin}/follow-ups`, {
    method: 'POST',
    body: JSON.stringify({ order: 'A-17', days: 0 }),
  });
  const { runId } = (await response.json()) as { runId: string };
  const question = await eventually(async () => {
    const { items } = await holdfast.client.pendingActions.list();
    return items.find(({ kind }) => kind === 'question');
  });
  await holdfast.client.pendingActions.decide(question.id, { decision: 'answer', answer: 'yes' });
  const run = await eventually(async () => {
    const found = await holdfast.client.routineRuns.get(runId);
    return found.status === 'running' ? undefined : found;
  });
  assert.deepEqual(run.output, { item: 'kettle', answer: 'yes' });
});

test('setting up once more changes nothing but the secrets', async () => {
  const again = await setUp(holdfast.client, origin);
  assert.equal(again.routineId, secrets.routineId);
  assert.notEqual(again.webhookSecret, secrets.webhookSecret);
  assert.equal((await holdfast.client.budgets.list()).items.length, 1);
  assert.equal((await holdfast.client.schedules.list()).items.length, 1);
});
