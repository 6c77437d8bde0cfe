import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Message } from '../../../src/domain/conversation.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ImportReport, Recording } from '../../../src/domain/recording.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { readRuns, replay, startReplayLab, type ReplayLab } from '../../labs/replay-scene.ts';
import type { ScriptEntry } from '../../servers/scripted-model.ts';

const schema = {
  type: 'object',
  properties: { zone: { type: 'string' }, degrees: { type: 'number' } },
  required: ['zone', 'degrees'],
} satisfies JsonObject;

const kiel = { zone: 'Kiel', degrees: 12 };
const wrong = '{"zone": "Kiel", "degrees": "12"}';

/** A model whose first answer is wrong, and which writes the fields in another order when it is asked to be brief. */
function answerInSchema(body: { messages: { role: string; content: string | null }[] }): ScriptEntry {
  const last = body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (last.includes('at the core of the sun')) return { text: '{"zone": "Sun", "degrees": 1e999}' };
  const isBrief = body.messages[0]?.content?.includes('Be brief') ?? false;
  if (!last.includes('does not satisfy')) return { text: wrong };
  return { text: JSON.stringify(isBrief ? { degrees: 12, zone: 'Kiel' } : kiel) };
}

let scene: ReplayLab;
let agent: Agent;
let turn: TurnDetails;

beforeAll(async () => {
  scene = await startReplayLab({ intercept: answerInSchema });
  ({ agent } = await scene.api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{
      name: 'Weather',
      model: 'compatible/planned',
      instructions: 'Tell the weather.',
      execution: 'direct',
    },
  }));
  const { conversation } = await scene.api.ask<{ conversation: { id: string } }>(
    'POST',
    '/api/conversations',
    {
      agentId: agent.id,
    },
  );
  turn = await say(conversation.id, { message: 'How warm is it?', responseSchema: schema });
});

afterAll(() => scene.close());

async function say(conversationId: string, body: object): Promise<TurnDetails> {
  const path = `/api/conversations/${conversationId}/turns?wait=true`;
  return (await scene.api.ask<{ turn: TurnDetails }>('POST', path, body)).turn;
}

const getTurn = async (id: string) =>
  (await scene.api.ask<{ turn: TurnDetails }>('GET', `/api/turns/${id}`)).turn;

const listTurns = async (conversationId: string) => {
  const path = `/api/conversations/${conversationId}/turns`;
  return (await scene.api.ask<{ turns: TurnDetails[] }>('GET', path)).turns;
};

const listTexts = async (conversationId: string) => {
  const path = `/api/conversations/${conversationId}/messages`;
  return (await scene.api.ask<{ messages: Message[] }>('GET', path)).messages.map(({ text }) => text);
};

const answered = {
  outcome: 'completed',
  answer: JSON.stringify(kiel),
  answerJson: kiel,
  responseSchema: schema,
};

test.each([
  ['a schema of numbers', schema],
  ['a schema that says nothing of the field', { type: 'object' }],
])('an answer with a number that JSON cannot hold is refused by %s', async (_what, responseSchema) => {
  const conversation = await scene.api.ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
    agentId: agent.id,
  });
  const message = 'How warm is it at the core of the sun?';
  const said = await say(conversation.conversation.id, { message, responseSchema });
  expect(said).toMatchObject({ outcome: 'completed', answerJson: kiel, iterations: 2 });
});

test('a turn has its answer as an object, with the fields in the order in which the model wrote them', async () => {
  expect(turn).toMatchObject({ ...answered, iterations: 2 });
  expect(Object.keys(turn.answerJson ?? {})).toEqual(['zone', 'degrees']);
  expect(Object.keys(turn.responseSchema ?? {})).toEqual(['type', 'properties', 'required']);
  expect(await listTurns(turn.conversationId)).toMatchObject([{ answerJson: kiel }]);
  expect(await listTexts(turn.conversationId)).toEqual(['How warm is it?', wrong, JSON.stringify(kiel)]);
});

test('a schema with which no answer could be checked is refused with the place that is wrong', async () => {
  const refuse = async (responseSchema: unknown) => {
    const path = `/api/conversations/${turn.conversationId}/turns`;
    const { status, error } = await scene.api.call('POST', path, { message: 'Hello', responseSchema });
    return { status, code: error.code, details: error.details };
  };
  const wrongWith = (message: unknown) => ({
    ...{ status: 400, code: 'INVALID_INPUT' },
    details: [{ field: expect.stringContaining('responseSchema') as string, message }],
  });

  expect(await refuse({ type: 'object', properties: { a: { type: 'txt' } } })).toMatchObject(
    wrongWith(expect.stringContaining('at /properties/a/type')),
  );
  expect(await refuse({ type: 'array', items: {} })).toMatchObject(
    wrongWith(expect.stringContaining('"type": "object"')),
  );
  expect(
    await refuse({ type: 'object', properties: { a: { type: 'string', pattern: '(a+)+\\1' } } }),
  ).toMatchObject(wrongWith(expect.stringContaining('/properties/a/pattern')));
  expect(await refuse({ type: 'object', description: 'x'.repeat(33_000) })).toMatchObject(
    wrongWith(expect.stringContaining('32768 characters')),
  );
  expect(await refuse('object')).toMatchObject({ status: 400 });
});

test('another schema under the same idempotency key is another request', async () => {
  const headers = {
    authorization: `Bearer ${scene.api.key}`,
    'content-type': 'application/json',
    'idempotency-key': 'one',
  };
  const { conversation } = await scene.api.ask<{ conversation: { id: string } }>(
    'POST',
    '/api/conversations',
    { agentId: agent.id },
  );
  const send = async (responseSchema?: object) => {
    const body = JSON.stringify({ message: 'Hello', onBusy: 'enqueue', responseSchema });
    const url = `${scene.api.url}/api/conversations/${conversation.id}/turns?wait=true`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  expect(await send(schema)).toBe(200);
  expect(await send(schema)).toBe(200);
  expect(await send({ type: 'object' })).toBe(409);
  expect(await send()).toBe(409);
});

test('forks keep the schema, the answer, and what was wrong with an earlier one', async () => {
  const path = `/api/conversations/${turn.conversationId}/fork`;
  const next = await say(turn.conversationId, { message: 'Again.', responseSchema: schema });
  const copy = await scene.api.ask<{ conversation: { id: string } }>('POST', path, {
    turnId: next.id,
    run: false,
  });
  const [copied] = await listTurns(copy.conversation.id);
  expect(await getTurn(copied?.id ?? '')).toMatchObject(answered);
  const fork = await scene.api.ask<{ turn: { id: string } }>('POST', path, { turnId: turn.id });
  expect(await scene.lab.waitForOutcome(fork.turn.id)).toMatchObject({ ...answered, iterations: 2 });

  const before = scene.model.requests.length;
  await say(copy.conversation.id, { message: 'Thanks.' });
  const texts = scene.model.requests[before]?.messages.map(({ content }) => content) ?? [];
  expect(texts.slice(1)).toEqual([
    ...[
      'How warm is it?',
      wrong,
      expect.stringContaining('- degrees must be number') as string,
      JSON.stringify(kiel),
    ],
    'Thanks.',
  ]);
});

test('a replay asks for the same schema, and compares the answers as objects', async () => {
  const candidate = { instructions: 'Be brief.' };
  const ended = await replay(scene, { selection: { turnIds: [turn.id] }, candidate });
  const runs = await readRuns(scene, ended.id);

  expect(runs.map(({ lane, run }) => [lane, run?.turns[0]?.answerJson])).toEqual([
    ['original', kiel],
    ['baseline', kiel],
    ['candidate', kiel],
  ]);
  const last = runs.at(-1);
  expect(last?.run?.turns[0]).toMatchObject({ outcome: 'completed', answer: '{"degrees":12,"zone":"Kiel"}' });
  expect(last?.comparison).toMatchObject({
    ...{ passed: true, firstDifference: null },
    scores: { exact: 0, normalised: 1, jsonFields: 1 },
  });
});

test('a recording has the schema, the answer and what was wrong, and an import keeps them', async () => {
  const headers = { authorization: `Bearer ${scene.api.key}`, 'content-type': 'application/x-ndjson' };
  const url = `${scene.api.url}/api/recordings`;
  const read = async (conversationId: string) => {
    const text = await (await fetch(`${url}?conversationId=${conversationId}`, { headers })).text();
    return JSON.parse(text.split('\n')[0] ?? '') as Recording;
  };
  const recording = await read(turn.conversationId);
  expect(recording.turn).toMatchObject({ responseSchema: schema, answerJson: kiel });
  expect(recording.steps.map(({ refused }) => refused)).toEqual([
    { outcome: 'completed', errors: [{ field: 'degrees', message: 'must be number' }] },
    null,
  ]);

  const body = `${JSON.stringify(recording)}\n`;
  const response = await fetch(url, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: ImportReport };
  expect(data).toMatchObject({ imported: 1, errors: [] });
  const agentId = data.agents[0]?.id ?? '';
  const { conversations } = await scene.api.ask<{ conversations: { id: string }[] }>(
    'GET',
    `/api/conversations?agentId=${agentId}`,
  );
  const imported = await read(conversations[0]?.id ?? '');
  expect(imported.turn).toMatchObject({ responseSchema: schema, answerJson: kiel });
  expect(imported.steps.map(({ refused }) => refused)).toEqual(recording.steps.map(({ refused }) => refused));
});
