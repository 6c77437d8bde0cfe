import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelMessage, ModelTool } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall } from '../../fixtures/model-call.ts';
import { startFormatServer, type FormatServer } from '../../servers/format-server.ts';

const vendors = ['openai', 'anthropic', 'google', 'compatible'] as const;
type Vendor = (typeof vendors)[number];

let server: FormatServer | undefined;
afterEach(() => server?.close());

type Script = Parameters<typeof startFormatServer>[1];

/** Asks a strict stand-in of a vendor, which refuses what the vendor refuses. */
async function ask(
  vendor: Vendor,
  { tools, messages = [{ role: 'user', text: 'Go.' }] }: { tools: ModelTool[]; messages?: ModelMessage[] },
  script?: Script,
) {
  server = await startFormatServer(vendor, script);
  const callModel = createLanguageModelCaller({ [vendor]: { apiKey: 'key', baseUrl: server.baseUrl } });
  const { call } = createModelCall({ model: `${vendor}/model`, tools, messages });
  const answer = await callModel(call);
  return { answer, body: JSON.stringify(server.bodies[0]) };
}

const text = { type: 'string' };
const alternatives: JsonObject = {
  type: 'object',
  properties: { id: text, name: text },
  anyOf: [{ required: ['id'] }, { required: ['name'] }],
};

/** Schemas as servers write them, which Holdfast takes and one vendor or another refuses. */
const schemas: Record<string, JsonObject> = {
  'anyOf at the top': alternatives,
  'oneOf at the top': {
    type: 'object',
    oneOf: [{ properties: { id: text } }, { properties: { name: text } }],
  },
  'allOf at the top': { type: 'object', allOf: [{ properties: { id: text } }, { required: ['id'] }] },
  'not at the top': { type: 'object', not: { required: ['a', 'b'] } },
  'a constant at the top': { type: 'object', enum: [{ id: 1 }, { id: 2 }] },
  'a reference at the top': { type: 'object', $ref: '#/$defs/x', $defs: { x: { properties: { id: text } } } },
  recursion: {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/tree' } },
    anyOf: [{ required: ['tree'] }, { required: ['other'] }],
    $defs: { tree: { type: 'object', properties: { of: { $ref: '#/$defs/tree' }, all: { $ref: '#' } } } },
  },
  'references with other keywords': {
    type: 'object',
    properties: { id: { $ref: '#/$defs/x', description: 'The id.', default: 'a' } },
    $defs: { x: text },
  },
  'constants of several types': {
    type: 'object',
    properties: { a: { enum: ['x', 1, true, null, { b: 1 }] }, b: { const: null }, c: { const: false } },
  },
  'look-around': {
    type: 'object',
    properties: { price: { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' } },
    patternProperties: { '^(?!x)': text },
    additionalProperties: false,
  },
  'an array without items': { type: 'object', properties: { list: { type: ['array', 'null'] } } },
  'a tuple of draft-07': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { pair: { type: 'array', items: [text, { type: 'number' }], additionalItems: false } },
  },
  'odd names of fields': {
    type: 'object',
    properties: { 'filter[name]': text, '@type': text, 'ein Feld': text },
  },
  'a long name of a field': { type: 'object', properties: { ['x'.repeat(65)]: text } },
  'an anchor': { type: 'object', properties: { a: { $ref: '#x' } }, $defs: { x: { $anchor: 'x', ...text } } },
};

describe.each(vendors)('%s', (vendor) => {
  test.each(Object.entries(schemas))('is offered a tool with %s', async (_what, schema) => {
    const { answer } = await ask(vendor, { tools: [{ name: 'find', description: 'Finds.', schema }] });
    expect(answer.text).toBe('Seen.');
  });

  const tool: ModelTool = { name: 'find', description: 'Finds.', schema: alternatives };
  const wraps = vendor !== 'google';

  test('gives the arguments of a tool as its own schema has them', async () => {
    const input = wraps ? { input: { id: '7' } } : { id: '7' };
    const { answer } = await ask(vendor, { tools: [tool] }, () => ({ tool: 'find', input }));
    expect(answer.toolCalls).toMatchObject([{ name: 'find', arguments: { id: '7' } }]);
    expect(JSON.stringify(answer.providerContent ?? '')).not.toContain('input":{"input');
  });

  test('may leave the field out in which the arguments belong', async () => {
    const { answer } = await ask(vendor, { tools: [tool] }, () => ({ tool: 'find', input: { id: '7' } }));
    expect(answer.toolCalls).toMatchObject([{ name: 'find', arguments: { id: '7' } }]);
  });

  test('is shown earlier calls, of its own and of others, as it is shown the schema', async () => {
    const model = `${vendor}/model`;
    const part = { type: 'tool-call', toolCallId: 'b', toolName: 'find', input: { id: '8' } };
    const kept = { model, parts: [{ ...part, providerOptions: { [vendor]: {} } }] };
    const call = (modelCallId: string, id: string) => ({ modelCallId, name: 'find', arguments: { id } });
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text: '', toolCalls: [call('a', '7')] },
      { role: 'tool', modelCallId: 'a', name: 'find', text: 'None.', isError: false },
      { role: 'assistant', text: '', toolCalls: [call('b', '8')], providerContent: kept },
      { role: 'tool', modelCallId: 'b', name: 'find', text: 'None.', isError: false },
    ];
    const { answer, body } = await ask(vendor, { tools: [tool], messages });
    expect(answer.text).toBe('Seen.');
    const plain = body.replaceAll('\\"', '"');
    for (const id of ['7', '8']) {
      expect(plain).toContain(wraps ? `{"input":{"id":"${id}"}}` : `{"id":"${id}"}`);
    }
    expect(plain).not.toContain('{"input":{"input"');
  });

  test('gets equal requests for equal calls', async () => {
    const tools = Object.entries(schemas).map(([, schema], index) => ({
      ...tool,
      name: `t${index}`,
      schema,
    }));
    const [one, other] = [await ask(vendor, { tools }), await ask(vendor, { tools })];
    expect(one.body).toBe(other.body);
  });

  test('is not offered more tools than it takes', async () => {
    const tools = Array.from({ length: 140 }, (_, index) => ({ ...tool, name: `t${index}`, schema: {} }));
    if (vendor === 'compatible') return;
    const { answer, body } = await ask(vendor, { tools });
    expect(answer.text).toBe('Seen.');
    expect(body.includes('"t139"')).toBe(vendor === 'anthropic');
    expect(body).toContain('"t127"');
  });
});
