import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/domain/json.ts';
import type { ModelCall } from '../../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../../src/engines/models/create-language-model-caller.ts';
import { chatDeviations, toStandardChunk } from '../../../../src/engines/models/pieces/chat-deviations.ts';
import { startEventStreamServer } from '../../../servers/event-stream-server.ts';
import { createModelCall, weatherTool } from '../../../fixtures/model-call.ts';

let server: Awaited<ReturnType<typeof startEventStreamServer>> | undefined;
afterEach(() => server?.close());

const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'plain' };
const choice = (delta: JsonValue, more: JsonObject = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const usage = { prompt_tokens: 70, completion_tokens: 20, total_tokens: 90 };
const toCall = (more: JsonObject = {}): JsonObject => ({
  ...{ index: 0, id: 'call_1', type: 'function' },
  function: { name: 'get_weather', arguments: '{"city":"Kiel"}' },
  ...more,
});

/** The chunks of a whole answer with a text and a tool call; each may be given in another form. */
function toAnswer({
  first = {},
  text = choice({ content: '{"city":"Kiel"}' }),
  call = toCall(),
  last = {},
}: Parts) {
  const calls = Array.isArray(call) || !('bare' in call) ? [call].flat() : call['bare'];
  return [
    { ...head, ...choice({ role: 'assistant', content: '' }), ...first },
    { ...head, ...text },
    { ...head, ...choice({ tool_calls: calls ?? null }) },
    { ...head, ...choice({}, { finish_reason: 'tool_calls' }) },
    { ...head, choices: [], usage, ...last },
  ] as JsonObject[];
}

interface Parts {
  first?: JsonObject;
  text?: JsonObject;
  call?: JsonObject | JsonObject[];
  last?: JsonObject;
}

const inTexts = { prompt_tokens: '70', completion_tokens: '20', total_tokens: '90' };
const details = {
  prompt_tokens_details: { cached_tokens: '0' },
  completion_tokens_details: { reasoning_tokens: 'none' },
};

/** An answer in each form that is taken, by the position of its deviation in the list. */
const variants: [number, string, Parts][] = [
  [0, 'counts as texts', { last: { usage: inTexts } }],
  [0, 'counts of details as texts', { last: { usage: { ...inTexts, ...details } } }],
  [
    0,
    'usage as texts in each chunk',
    { text: { ...choice({ content: '{"city":"Kiel"}' }), usage: inTexts } },
  ],
  [1, 'choices that are null', { last: { choices: null } }],
  [1, 'no choices', { last: { choices: undefined as unknown as JsonValue } }],
  [
    2,
    'arguments as an object',
    { call: toCall({ function: { name: 'get_weather', arguments: { city: 'Kiel' } } }) },
  ],
  [3, 'one call that is no list', { call: { bare: toCall() } }],
  [4, 'a call in pieces, one without a function', { call: [toCall(), { index: 0 }] }],
  [4, 'a call in pieces, one with null', { call: [toCall(), { index: 0, function: null }] }],
  [5, 'an index as a text', { call: toCall({ index: '0' }) }],
  [6, 'ids that are numbers', { first: { id: 7, model: 4 }, call: toCall({ id: 12 }) }],
  [7, 'a time as a text', { first: { created: '1764000000' } }],
  [
    8,
    'another role',
    {
      first: choice({ role: 'model', content: '' }),
      text: choice({ role: 'Assistant', content: '{"city":"Kiel"}' }),
    },
  ],
  [9, 'a reason that is empty', { text: choice({ content: '{"city":"Kiel"}' }, { finish_reason: '' }) }],
  [
    10,
    'reasoning that is no text',
    { text: choice({ content: '{"city":"Kiel"}', reasoning: {}, reasoning_content: [] }) },
  ],
  [11, 'an error that is null', { text: { ...choice({ content: '{"city":"Kiel"}' }), error: null } }],
];

const schema: JsonObject = {
  ...{ type: 'object', properties: { city: { type: 'string' } } },
  ...{ required: ['city'], additionalProperties: false },
};

/** The ways in which an answer is read. */
const readers: [string, Partial<ModelCall>][] = [
  ['a stream whose pieces are joined', {}],
  ['an answer that the vendor holds to a schema', { responseSchema: schema, structuredOutput: 'native' }],
  ['an answer that is asked to satisfy a schema', { responseSchema: schema, structuredOutput: 'asked' }],
];

async function read(events: JsonObject[], more: Partial<ModelCall>) {
  server = await startEventStreamServer({ events });
  const callModel = createLanguageModelCaller({ compatible: { apiKey: 'key', baseUrl: server.baseUrl } });
  const { call, deltas } = createModelCall({ model: 'compatible/plain', tools: [weatherTool], ...more });
  return { answer: await callModel(call), shown: deltas.join('') };
}

describe.each(readers)('%s', (_reader, more) => {
  test.each([[-1, 'the form of the protocol', {}] as (typeof variants)[number], ...variants])(
    'takes form %i, %s',
    async (_index, _name, parts) => {
      const { answer, shown } = await read(toAnswer(parts), more);
      expect(shown).toBe('{"city":"Kiel"}');
      expect(answer).toMatchObject({
        text: '{"city":"Kiel"}',
        toolCalls: [{ name: 'get_weather', arguments: { city: 'Kiel' } }],
        finishReason: 'tool_calls',
        usage: { inputTokens: 70, outputTokens: 20 },
      });
    },
  );

  test('reports an error that is a text by its words', async () => {
    const events = [...toAnswer({}).slice(0, 2), { error: 'The GPU is on fire.' }];
    await expect(read(events, more)).rejects.toMatchObject({
      message: expect.stringContaining('The GPU is on fire.') as string,
    });
  });
});

test('each deviation that is taken has a form here and a line in the page about models', () => {
  const page = readFileSync('docs/models.md', 'utf8').replace(/\s+/g, ' ');
  for (const [index, { name }] of chatDeviations.entries()) {
    expect(
      variants.some(([of]) => of === index),
      name,
    ).toBe(true);
    expect(page).toContain(name);
  }
});

test('a chunk of the protocol stays as it is', () => {
  for (const chunk of toAnswer({})) expect(toStandardChunk(chunk)).toEqual(chunk);
});
