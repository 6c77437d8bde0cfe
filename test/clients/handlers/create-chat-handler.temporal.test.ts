import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createHoldfastClient, type HoldfastClient } from '../../../src/clients/client/index.ts';
import {
  createChatHandler,
  toNodeHandler,
  type ChatHandlerOptions,
} from '../../../src/clients/handlers/index.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { collect, readAllSent, readSent, toText, type SentFrame } from '../../labs/sent-events.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { quickRetry } from '../../servers/scripted-api.ts';

let lab: TurnLab;
let api: LabApi;
let holdfast: HoldfastClient;
beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  holdfast = createHoldfastClient({ baseUrl: api.url, apiKey: api.key, retry: quickRetry });
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

/** A chat with the agent of a scene; the header `customer` stands for a session. */
function openChat({ agent }: LabScene, options: Partial<ChatHandlerOptions> = {}) {
  const errors: unknown[] = [];
  const chat = createChatHandler({
    holdfast,
    agent: agent.id,
    customer: (request) => request.headers.get('customer'),
    onError: (error) => errors.push(error),
    ...options,
  });
  const say = (message: unknown, headers: Record<string, string> = {}) =>
    chat(
      new Request('http://app.test/chat', {
        method: 'POST',
        headers: { customer: 'customer-42', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ message }),
      }),
    );
  const resume = (turnId: string, headers: Record<string, string> = {}) =>
    chat(
      new Request(`http://app.test/chat?turn=${encodeURIComponent(turnId)}`, {
        headers: { customer: 'customer-42', ...headers },
      }),
    );
  return { chat, errors, say, resume };
}

/** Starts the handler on a real server, and returns its address. */
async function serve(chat: ReturnType<typeof openChat>['chat']): Promise<string> {
  const answer = toNodeHandler(chat);
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`;
}

/** Reads so many frames with a cursor, then leaves; fewer when the stream ends. */
async function readSome(response: Response, count: number): Promise<SentFrame[]> {
  const frames: SentFrame[] = [];
  for await (const frame of readSent(response)) {
    frames.push(frame);
    if (frames.filter(({ id }) => id !== undefined).length === count) break;
  }
  return frames;
}

async function readRefusal(response: Response): Promise<[status: number, code: string, text: string]> {
  const text = await response.text();
  return [response.status, (JSON.parse(text) as { error: { code: string } }).error.code, text];
}

function toTurnId(frames: SentFrame[]): string {
  return String(frames.find(({ event }) => event === 'turn.accepted')?.data['turnId']);
}

it('a reader who leaves again and again and comes back gets each character once, and the end', async () => {
  const scene = await lab.scene();
  const text = Array.from({ length: 60 }, (_, index) => `Word ${index} 🎈`).join(' ');
  scene.reply({ text, chunkDelayMs: 10 });
  const url = await serve(openChat(scene).chat);
  const headers = { customer: 'customer-42', 'content-type': 'application/json' };
  const body = JSON.stringify({ message: 'Talk.' });

  const frames = await readSome(await fetch(url, { method: 'POST', headers, body }), 3);
  const turnId = toTurnId(frames);
  let visits = 1;
  while (frames.at(-1)?.event !== 'turn.settled') {
    const lastEventId = frames.findLast(({ id }) => id !== undefined)?.id ?? '';
    const again = await fetch(`${url}?turn=${turnId}`, {
      headers: { ...headers, 'last-event-id': lastEventId },
    });
    frames.push(...(await readSome(again, 5)));
    visits += 1;
  }
  expect((await lab.readTurn(turnId)).startedBy?.actingFor).toBe('customer-42');
  expect(visits).toBeGreaterThan(2);
  expect(toText(frames)).toBe(text);
  const pieces = frames.filter(({ event }) => event === 'text.delta');
  expect(pieces.length).toBeGreaterThan(2);
  expect(text.startsWith(toText(pieces))).toBe(true);
  expect(frames.at(-1)?.data['payload']).toMatchObject({ outcome: 'completed', answer: text });

  const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(new Set(ids).size).toBe(ids.length);
  const rest = await fetch(`${url}?turn=${turnId}`, {
    headers: { ...headers, 'last-event-id': ids.at(-2) ?? '' },
  });
  expect((await readAllSent(rest)).map(({ event }) => event)).toEqual(['turn.settled']);
  const nothing = await fetch(`${url}?turn=${turnId}`, {
    headers: { ...headers, 'last-event-id': ids.at(-1) ?? '' },
  });
  expect(nothing.status).toBe(204);
});

it('the next message continues the conversation of the customer', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Hello.' }, { text: 'Again.' });
  const { say } = openChat(scene);
  const turns = [await readAllSent(await say('One')), await readAllSent(await say('Two'))];
  const [first, second] = turns.map((frames) => frames[0]?.data['conversationId']);
  expect(first).toBe(second);
  const { body } = await scene.waitForRequest(2);
  expect(body.messages.map(({ content }) => content)).toEqual(
    expect.arrayContaining(['One', 'Hello.', 'Two']),
  );
});

it('two first messages of a customer at once are answered in one conversation', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'One.' }, { text: 'Two.' });
  const { say } = openChat(scene);
  const responses = await Promise.all([say('Hello?'), say('Anybody?')]);
  const turns = await Promise.all(responses.map(readAllSent));
  expect(new Set(turns.map((frames) => frames[0]?.data['conversationId'])).size).toBe(1);
  expect(new Set(turns.map(toTurnId)).size).toBe(2);
  expect(turns.map((frames) => frames.at(-1)?.event)).toEqual(['turn.settled', 'turn.settled']);
  expect(turns.map(toText).toSorted()).toEqual(['One.', 'Two.']);
});

it('the stream stays open while the turn waits for an approval, and has the rest after it', async () => {
  const scene = await lab.scene({ tools: [{ ...calculate, settings: { approval: 'ask' } }] });
  scene.reply(
    { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
    { text: 'It is 23.' },
  );
  const { say } = openChat(scene);
  const frames: SentFrame[] = [];
  for await (const frame of readSent(await say('How much?'))) {
    frames.push(frame);
    const { actionId } = (frame.data['payload'] ?? {}) as { actionId?: string };
    if (frame.event === 'action.requested') await lab.decide(actionId ?? '', { decision: 'approve' });
  }
  const events = frames.map(({ event }) => event);
  expect(events).toEqual(
    expect.arrayContaining(['action.requested', 'action.decided', 'tool.executed', 'turn.settled']),
  );
  expect(toText(frames)).toBe('It is 23.');
  // The customer sees that something is asked, and not with which arguments.
  expect(JSON.stringify(frames)).not.toContain('20 + 3');
});

it('a message while a turn runs waits for it, or is refused when the handler says so', async () => {
  const scene = await lab.scene();
  const released = Promise.withResolvers<undefined>();
  scene.reply({ text: 'First.', until: released.promise }, { text: 'Second.' });
  const chat = openChat(scene);
  const first = await chat.say('One');
  await scene.waitForRequest(1);
  const refused = await openChat(scene, { onBusy: 'reject' }).say('Not now');
  expect((await readRefusal(refused)).slice(0, 2)).toEqual([409, 'TURN_RUNNING']);
  const second = readSent(await chat.say('Two'));
  const queued = [(await second.next()).value, (await second.next()).value].map((frame) => frame?.event);
  expect(queued).toEqual(['turn.accepted', 'message.queued']);
  released.resolve(undefined);
  expect(toText(await readAllSent(first))).toBe('First.');
  expect(toText(await collect(second))).toBe('Second.');
});

it('another customer does not find the turn, and the answer is that to an unknown one', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'A secret.' });
  const { say, resume } = openChat(scene);
  const turnId = toTurnId(await readAllSent(await say('Hello')));
  const other = await readRefusal(await resume(turnId, { customer: 'customer-43' }));
  expect(other.slice(0, 2)).toEqual([404, 'NOT_FOUND']);
  expect(await readRefusal(await resume('0198a000-0000-7000-8000-000000000009'))).toEqual(other);
  for (const id of ['', '..', '../agents', 'no-id', 'abc', scene.agent.id])
    expect(await readRefusal(await resume(id))).toEqual(other);
  expect(toText(await readAllSent(await resume(turnId)))).toBe('A secret.');
});

it('another agent does not show the turn of the same customer', async () => {
  const [scene, other] = [await lab.scene(), await lab.scene()];
  scene.reply({ text: 'Here.' });
  const turnId = toTurnId(await readAllSent(await openChat(scene).say('Hello')));
  expect((await openChat(other).resume(turnId)).status).toBe(404);
});

it('a repeated key finds the turn of the first message, and is no key of another customer', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Once.' }, { text: 'For the other.' });
  const { say } = openChat(scene);
  const key = { 'idempotency-key': '1' };
  const first = await readAllSent(await say('Hello', key));
  expect(await readAllSent(await say('Hello', key))).toEqual(first);
  const other = await readAllSent(await say('Hello', { ...key, customer: 'customer-43' }));
  expect([toText(first), toText(other)]).toEqual(['Once.', 'For the other.']);
  expect((await readRefusal(await say('Other words', key))).slice(0, 2)).toEqual([
    409,
    'IDEMPOTENCY_KEY_REUSED',
  ]);
});

it('a key that is revoked ends a stream with an error, and later requests without naming the reason', async () => {
  const scene = await lab.scene();
  const released = Promise.withResolvers<undefined>();
  scene.reply({ text: 'Late.', until: released.promise });
  const { apiKey, key } = await holdfast.apiKeys.create({
    name: 'Chat',
    scopes: ['agents:read', 'conversations:read', 'conversations:write'],
  });
  const own = createHoldfastClient({ baseUrl: api.url, apiKey: key, retry: quickRetry });
  const { say, resume, errors } = openChat(scene, { holdfast: own });
  const response = await say('Hello');
  await scene.waitForRequest(1);
  await holdfast.apiKeys.revoke(apiKey.id);
  const frames = await readAllSent(response);
  expect(frames.at(-1)).toMatchObject({
    ...{ event: 'stream.error', data: { error: { code: 'SERVICE_UNAVAILABLE' } } },
  });
  for (const refused of [await say('Hello?'), await resume(toTurnId(frames))]) {
    const [status, code, text] = await readRefusal(refused);
    expect([status, code]).toEqual([502, 'SERVICE_UNAVAILABLE']);
    expect(text).not.toContain(key);
  }
  expect(errors).toMatchObject([
    { code: 'UNAUTHORIZED' },
    { code: 'UNAUTHORIZED' },
    { code: 'UNAUTHORIZED' },
  ]);
  released.resolve(undefined);
  await lab.waitForOutcome(toTurnId(frames));
});

it('requests that are none of a chat are refused before the API is asked', async () => {
  const scene = await lab.scene();
  const { chat, say, resume, errors } = openChat(scene);
  const post = (init: RequestInit) => chat(new Request('http://app.test/chat', { method: 'POST', ...init }));
  const headers = { customer: 'customer-42', 'content-type': 'application/json' };
  const refused = [
    await chat(new Request('http://app.test/chat')),
    await post({ body: '{}' }),
    await post({ headers: { ...headers, 'content-type': 'text/plain' }, body: '{"message":"Hello"}' }),
    await post({ headers, body: 'no JSON' }),
    await post({ headers }),
    await say(''),
    await say([{ type: 'file', fileId: '0198a000-0000-7000-8000-000000000009' }]),
    await say('x'.repeat(1024 * 1024)),
    await post({ method: 'DELETE', headers }),
    await resume('turn', { customer: '' }),
  ];
  const answers = await Promise.all(refused.map(readRefusal));
  expect(answers.map(([status]) => status)).toEqual([401, 401, 415, 400, 400, 400, 400, 413, 405, 401]);
  expect(refused[8]?.headers.get('allow')).toBe('GET, POST');
  expect(errors).toEqual([]);
  expect(
    (await holdfast.conversations.list({ agentId: scene.agent.id, externalId: 'customer-42' })).items,
  ).toEqual([]);
});

it('a large message is refused while it is being sent', async () => {
  const url = await serve(openChat(await lab.scene()).chat);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
  });
  const headers = { customer: 'customer-42', 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
  expect((await readRefusal(response)).slice(0, 2)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

it('an API that does not answer, and an agent that there is not, are 5xx without addresses and names', async () => {
  const scene = await lab.scene();
  const away = createHoldfastClient({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'planted-key',
    retry: quickRetry,
  });
  const cases = [openChat(scene, { holdfast: away }), openChat(scene, { agent: 'Nobody' })];
  const answers = await Promise.all(cases.map(async ({ say }) => readRefusal(await say('Hello'))));
  expect(answers.map(([status]) => status)).toEqual([503, 500]);
  expect(JSON.stringify(answers)).not.toMatch(/127\.0\.0\.1|planted-key|Scripted agent|Nobody/);
  expect(cases.map(({ errors }) => errors)).toMatchObject([
    [{ code: 'CONNECTION_FAILED' }],
    [{ code: 'NOT_FOUND', message: expect.stringContaining('"Scripted agent"') as string }],
  ]);
});
