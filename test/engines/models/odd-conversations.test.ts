import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelCall, ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall } from '../../fixtures/model-call.ts';
import { startFormatServer, type FormatServer } from '../../servers/format-server.ts';
import type { FormatVendor } from '../../servers/vendor-formats.ts';

/** A model of each vendor, and the protocol that its stand-in speaks. */
const models: [model: string, protocol: FormatVendor][] = [
  ['openai/gpt-5.4', 'openai'],
  ['anthropic/claude-sonnet-5', 'anthropic'],
  ['google/gemini-3-pro-preview', 'google'],
  ['compatible/llama', 'compatible'],
  ['compatible/gpt-4o', 'chat'],
];

const oddIds = [
  'functions.echo:0',
  'Aufruf-ä-ß',
  'x'.repeat(200),
  `${'x'.repeat(200)}y`,
  'two\nlines',
  '呼び出し',
  ' ',
  'call_1',
  'call_1',
  'a'.repeat(41),
];

const blanks = ['', ' ', '\n\n', '\t \u00a0', '\u2003\ufeff', '\u001c\u0085'];

function ask(...ids: string[]): ModelMessage[] {
  const calls = ids.map((modelCallId, index) => ({ modelCallId, name: 'echo', arguments: { index } }));
  return [
    { role: 'assistant', text: '', toolCalls: calls },
    ...ids.map((modelCallId, index): ModelMessage => ({
      ...{ role: 'tool', modelCallId, name: 'echo', text: `result ${index}`, isError: false },
    })),
  ];
}

const tools = [{ name: 'echo', description: 'Echoes.', schema: { type: 'object', properties: {} } }];

describe.each(models)('%s over a strict server of %s', (model, protocol) => {
  let server: FormatServer;
  beforeAll(async () => {
    server = await startFormatServer(protocol);
  });
  afterAll(() => server.close());

  async function send(messages: ModelMessage[], more: Partial<ModelCall> = {}): Promise<JsonObject> {
    const vendor = model.split('/')[0] ?? '';
    const callModel = createLanguageModelCaller({ [vendor]: { apiKey: 'key', baseUrl: server.baseUrl } });
    const { call } = createModelCall({ model, messages, tools, ...more });
    expect(await callModel(call)).toMatchObject({ text: 'Seen.' });
    return server.bodies.at(-1) ?? {};
  }

  test('takes ids of calls that another vendor made, each result with its call, the same every time', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go.' },
      ...ask(...oddIds),
      ...ask(...oddIds),
      { role: 'user', text: 'And?' },
    ];
    const first = await send(messages);
    const pairs = listPairs(first);
    expect(pairs).toHaveLength(2 * oddIds.length);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
    // Each call holds its number in its round, and so does its result.
    for (const { call, result } of pairs) expect(result).toContain(`result ${String(call)}`);
    expect(await send(messages)).toEqual(first);
    expect(JSON.stringify(first)).toContain('"call_1"');
  });

  test.each(blanks)('takes texts of white space only (%j) everywhere', async (blank) => {
    const [asked, answered] = ask('call_1');
    const body = await send(
      [
        { role: 'user', text: blank },
        { role: 'assistant', text: blank, toolCalls: [] },
        { role: 'user', text: '', parts: [{ type: 'text', text: blank }] },
        { ...asked, text: blank } as ModelMessage,
        { ...answered, text: blank } as ModelMessage,
        ...ask('call_2').map((one): ModelMessage =>
          one.role === 'tool' ? { ...one, text: blank, isError: true } : one,
        ),
        { role: 'assistant', text: 'Done.', toolCalls: [] },
        {
          role: 'user',
          text: '',
          parts: [
            { type: 'text', text: 'Why' },
            { type: 'text', text: blank },
          ],
        },
      ],
      { instructions: blank },
    );
    expect(JSON.stringify(body)).toContain('[The message is empty.]');
    expect(JSON.stringify(body)).toContain('[The result is empty.]');
  });

  test('takes stored content of its own with white space, and with reasoning alone', async () => {
    const kept = (parts: JsonObject[]) => ({ providerContent: { model, parts } });
    const reasoning = { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } };
    await send([
      { role: 'user', text: 'Hi.' },
      { role: 'assistant', text: '', toolCalls: [], ...kept([reasoning, { type: 'text', text: '\n' }]) },
      { role: 'user', text: 'Hi?' },
      {
        role: 'assistant',
        text: 'Yes.',
        toolCalls: [],
        ...kept([
          { type: 'text', text: '\n\n' },
          { type: 'text', text: 'Yes.' },
        ]),
      },
      { role: 'user', text: 'Bye.' },
    ]);
  });

  test('takes messages of the user that follow one another', async () => {
    const body = await send([
      { role: 'user', text: 'One.' },
      { role: 'user', text: 'Two.' },
    ]);
    expect(JSON.stringify(body)).toMatch(/One\..*Two\./);
  });
});

test('ids become those of the family of models where it takes no others', async () => {
  const server = await startFormatServer('compatible', () => null);
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: server.baseUrl } });
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Go.' },
    ...ask('call_1', 'D681PevKs', 'functions.echo:0'),
  ];
  const idsFor = async (model: string) => {
    await callModel(createModelCall({ model, messages, tools }).call).catch(() => undefined);
    return listPairs(server.bodies.at(-1) ?? {}).map(({ id }) => id);
  };
  const [made, kept, other] = await idsFor('compatible/mistral-large-latest');
  expect([made, kept, other]).toEqual([
    expect.stringMatching(/^[a-zA-Z0-9]{9}$/),
    'D681PevKs',
    expect.stringMatching(/^[a-zA-Z0-9]{9}$/),
  ]);
  expect(await idsFor('compatible/kimi-k2-thinking')).toEqual(['call_1', 'D681PevKs', 'functions.echo:0']);
  await server.close();
});

/** Returns the calls of a request by their number, with the results that have their ids. */
function listPairs(body: JsonObject): { id: string; call: unknown; result: string }[] {
  const calls: { id: string; call: unknown }[] = [];
  const results = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
    const one = value as JsonObject;
    const { functionCall, functionResponse } = one as { [name: string]: JsonObject | undefined };
    const id = one['call_id'] ?? one['tool_use_id'] ?? one['tool_call_id'] ?? one['id'];
    const input = readInput(one);
    if (functionCall)
      calls.push({ id: toId(functionCall['id']), call: (functionCall['args'] as JsonObject)['index'] });
    else if (functionResponse) results.set(toId(functionResponse['id']), JSON.stringify(functionResponse));
    else if (input) calls.push({ id: toId(id), call: input['index'] });
    else if (id !== undefined && JSON.stringify(one).includes('result '))
      results.set(toId(id), JSON.stringify(one));
    else Object.values(one).forEach(visit);
  };
  visit(body['input'] ?? body['messages'] ?? body['contents']);
  return calls.map(({ id, call }) => ({ id, call, result: results.get(id) ?? '' }));
}

function readInput({ type, input, arguments: written, function: called }: JsonObject): JsonObject | null {
  if (type === 'tool_use') return input as JsonObject;
  const text = type === 'function' ? (called as JsonObject)['arguments'] : written;
  return typeof text === 'string' ? (JSON.parse(text) as JsonObject) : null;
}

function toId(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
