import { beforeAll, expect, test } from 'vitest';
import type { MessagePart } from '../../../src/domain/message-part.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createShop, holdConversation } from '../../labs/recording-scene.ts';
import { onePixelPng, storeFile } from '../../labs/stored-file.ts';

let api: Api;
let png: string;
let pdf: string;

beforeAll(async () => {
  api = await shareApi();
  png = await store('cat.png', 'image/png');
  pdf = await store('offer.pdf', 'application/pdf');
});

function store(name: string, mediaType: string, workspaceId = api.workspaceId): Promise<string> {
  return storeFile(api.database, { workspaceId, name, mediaType, bytes: onePixelPng });
}

function send(conversationId: string, message: unknown, more: object = {}) {
  return api.call('POST', `/api/conversations/${conversationId}/turns`, { body: { message, ...more } });
}

async function listMessages(conversationId: string) {
  const { data } = await api.call('GET', `/api/conversations/${conversationId}/messages`);
  return data.messages;
}

test('a message with parts is stored with them, and its text is that of its text parts', async () => {
  const { conversationId } = await openConversation(api);
  const parts: MessagePart[] = [
    { type: 'text', text: 'Which of these' },
    { type: 'image', fileId: png, detail: 'low' },
    { type: 'file', fileId: pdf },
    { type: 'data', data: { customer: 7 }, name: 'order' },
    { type: 'text', text: 'is cheaper?' },
  ];
  const { status, data } = await send(conversationId, parts);
  expect(status).toBe(202);
  const start = api.calls.started.find(({ turnId }) => turnId === data.turn.id);
  expect(start).toMatchObject({ messagePreview: 'Which of these is cheaper?' });
  expect(await listMessages(conversationId)).toMatchObject([
    { role: 'user', text: 'Which of these\n\nis cheaper?', parts },
  ]);
});

test('a message of text has no parts, and one without a text part says what it has', async () => {
  const [plain, shown] = [await openConversation(api), await openConversation(api)];
  await send(plain.conversationId, 'Hello');
  await send(shown.conversationId, [
    { type: 'image', fileId: png },
    { type: 'image', fileId: png },
    { type: 'file', fileId: pdf },
  ]);
  expect(await listMessages(plain.conversationId)).toMatchObject([{ text: 'Hello', parts: null }]);
  expect(await listMessages(shown.conversationId)).toMatchObject([{ text: '[2 images, 1 file]' }]);
});

test('a message whose files are not there, or of another kind, is refused with the places of their parts', async () => {
  const { conversationId } = await openConversation(api);
  const other = await api.createWorkspace();
  const elsewhere = await store('theirs.png', 'image/png', other.workspaceId);
  const unknown = newId();
  const parts = [
    { type: 'file', fileId: png },
    { type: 'image', fileId: unknown },
    { type: 'image', fileId: elsewhere },
    { type: 'image', fileId: pdf },
  ];
  const { status, error } = await send(conversationId, parts);
  expect(status).toBe(400);
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    details: [
      {
        field: 'message.1.fileId',
        message: `expected the id of a file of this workspace, found ${unknown}`,
      },
      { field: 'message.2.fileId' },
      {
        field: 'message.3.fileId',
        message: expect.stringContaining('application/pdf: send it as a part of type "file"') as string,
      },
    ],
  });
  expect(await listMessages(conversationId)).toEqual([]);
  expect((await send(conversationId, parts.slice(0, 1))).status).toBe(202);
});

test('the same key and parts find the same turn, and other parts are another request', async () => {
  const { conversationId } = await openConversation(api);
  const submit = (message: unknown) =>
    api.call('POST', `/api/conversations/${conversationId}/turns`, {
      body: { message },
      headers: { 'idempotency-key': conversationId },
    });
  const first = await submit([{ type: 'image', fileId: png }]);
  const second = await submit([{ type: 'image', fileId: png }]);
  const third = await submit([{ type: 'file', fileId: png }]);
  expect(second.data.turn.id).toBe(first.data.turn.id);
  expect(third.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('messages with parts wait in the queue, where their parts count for its limit', async () => {
  const { conversationId } = await openConversation(api);
  await send(conversationId, 'Hello');
  const queued = await send(conversationId, [{ type: 'image', fileId: png }], { onBusy: 'enqueue' });
  const data = { type: 'data', data: 'x'.repeat(70_000) };
  const tooLarge = await send(conversationId, [data], { onBusy: 'enqueue' });
  const unknown = await send(conversationId, [{ type: 'file', fileId: newId() }], { onBusy: 'steer' });
  expect(queued.data.turn.status).toBe('queued');
  expect(tooLarge.error.code).toBe('QUEUE_FULL');
  expect(unknown.error).toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'message.0.fileId' }] });
});

test('a recording names the files of a message, and an import finds them by their content', async () => {
  const parts: MessagePart[] = [
    { type: 'text', text: 'What is this?' },
    { type: 'file', fileId: pdf },
    { type: 'data', data: { customer: 7 } },
  ];
  const agentId = await createShop(api);
  const conversationId = await holdConversation(api, { agentId, turns: [{ message: parts }] });
  const authorized = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const path = `${api.url}/api/recordings?conversationId=${conversationId}`;
  const lines = await (await fetch(path, authorized(api.key))).text();
  const [recording] = lines
    .split('\n')
    .map((line) => JSON.parse(line || 'null') as { message: unknown } | null);
  const file = { name: 'offer.pdf', mediaType: 'application/pdf', size: onePixelPng.length };
  expect(recording?.message).toMatchObject({
    text: 'What is this?',
    parts: [{ type: 'text' }, { type: 'file', fileId: pdf, file }, { data: { customer: 7 } }],
  });

  const other = await api.createWorkspace();
  const theirs = await store('the same.pdf', 'application/pdf', other.workspaceId);
  const { headers } = authorized(other.key);
  const imported = await fetch(`${api.url}/api/recordings`, {
    ...{ method: 'POST', body: lines },
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
  });
  expect(imported.status).toBe(200);
  const rows = await api.database.inWorkspace(other.workspaceId, async (trx) => ({
    messages: await trx('messages').where({ role: 'user' }).pluck<unknown[]>('parts'),
    uses: await trx('file_uses').pluck<string[]>('file_id'),
  }));
  expect(rows).toEqual({
    messages: [[parts[0], { type: 'file', fileId: theirs }, parts[2]]],
    uses: [theirs],
  });
});

test('a fork from a message may replace it by parts, and keeps the uses of the files that it copies', async () => {
  const { conversationId } = await openConversation(api);
  const { data } = await send(conversationId, [{ type: 'image', fileId: png }]);
  const { data: second } = await api.call('POST', `/api/turns/${data.turn.id}/cancel`, { body: {} });
  expect(second.turn.id).toBe(data.turn.id);
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    trx('turns').where({ id: data.turn.id }).update({ status: 'completed', settled_at: trx.fn.now() }),
  );
  const fork = (message?: unknown) =>
    api.call('POST', `/api/conversations/${conversationId}/fork`, {
      body: { turnId: data.turn.id, tools: 'live', ...(message === undefined ? {} : { message }) },
    });
  const [kept, replaced] = [await fork(), await fork([{ type: 'file', fileId: pdf }])];
  const missing = await fork([{ type: 'file', fileId: newId() }]);
  expect(missing.error).toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'message.0.fileId' }] });
  const uses = await api.database.inWorkspace(api.workspaceId, (trx) =>
    trx('file_uses')
      .whereIn('turn_id', [kept.data.turn.id, replaced.data.turn.id])
      .orderBy('turn_id')
      .select('file_id'),
  );
  expect(uses.map(({ file_id: id }: { file_id: string }) => id).sort()).toEqual([png, pdf].sort());
});

test('a fork has the uses of the files of all turns that it copies, once', async () => {
  const agentId = await createShop(api);
  const turns = [png, pdf].map((fileId): { message: MessagePart[] } => ({
    message: [{ type: 'file', fileId }],
  }));
  const conversationId = await holdConversation(api, { agentId, turns });
  const { data: listed } = await api.call('GET', `/api/conversations/${conversationId}/turns`);
  const [last] = listed.turns.toSorted((one: { id: string }, other: { id: string }) =>
    other.id.localeCompare(one.id),
  );
  const listUsed = async (message?: string) => {
    const body = { turnId: last?.id, tools: 'live', ...(message !== undefined && { message }) };
    const fork = await api.call('POST', `/api/conversations/${conversationId}/fork`, { body });
    expect(fork.status).toBe(201);
    return api.database.inWorkspace(api.workspaceId, (trx) =>
      trx('file_uses as u')
        .join('turns as t', 't.id', 'u.turn_id')
        .where('t.conversation_id', fork.data.conversation.id)
        .orderBy('t.ordinal')
        .pluck<string[]>('u.file_id'),
    );
  };
  expect(await listUsed()).toEqual([png, pdf]);
  expect(await listUsed('And now?')).toEqual([png]);
});
