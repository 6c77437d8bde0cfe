import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelCall, ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';
import { findChange, readPrefix } from '../../labs/request-prefix.ts';
import { startEventStreamServer } from '../../servers/event-stream-server.ts';
import { toVendorEvents, vendorNames, type VendorName } from '../../servers/vendor-answers.ts';

const models: Record<VendorName, string> = {
  openai: 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-3.5-flash',
  compatible: 'compatible/llama',
};

const conversation = '0198a000-0000-7000-8000-000000000001';
const note = 'Answer now, without tools.';

let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

/** Makes calls one after the other, and returns the bodies of their requests. */
async function send(vendor: VendorName, calls: Partial<ModelCall>[]): Promise<JsonObject[]> {
  const events = toVendorEvents(vendor, { text: 'Fine.' });
  server = await startEventStreamServer(...calls.map(() => ({ events })));
  const callModel = createLanguageModelCaller({ [vendor]: { apiKey: 'key', baseUrl: server.baseUrl } });
  const model = models[vendor];
  for (const more of calls)
    await callModel(createModelCall({ model, conversation, tools: [weatherTool], ...more }).call);
  return server.requests.map(({ body }) => body);
}

const user = (text: string): ModelMessage => ({ role: 'user', text });
const said = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });

/** An answer with so many parallel calls, and their results. */
function round(id: string, count = 1): ModelMessage[] {
  const ids = Array.from({ length: count }, (_, index) => `${id}_${index}`);
  return [
    {
      ...{ role: 'assistant', text: '' },
      toolCalls: ids.map((modelCallId) => ({ modelCallId, name: 'get_weather', arguments: { city: id } })),
    },
    ...ids.map((modelCallId): ModelMessage => ({
      ...{
        role: 'tool',
        modelCallId,
        name: 'get_weather',
        text: `rain ${modelCallId}`,
        isError: modelCallId === 'b_1',
      },
    })),
  ];
}

/** The calls of three turns: with parallel calls, a message that steers, a repaired answer, and a last call without tools. */
function listCalls(): Partial<ModelCall>[] {
  const steps: { adds: ModelMessage[]; withheld?: true }[] = [
    { adds: [user('One.')] },
    { adds: round('a') },
    { adds: [...round('b', 12), user('And this.')] },
    { adds: [said('It rains.'), user('Two.')] },
    { adds: [said('{"wrong"'), user('Answer again.')] },
    { adds: round('c', 2), withheld: true },
    { adds: [said('It still rains.'), user('Three.')] },
  ];
  let messages: ModelMessage[] = [];
  return steps.map(({ adds, withheld }) => {
    messages = [...messages, ...adds];
    return { messages, ...(withheld && { toolChoice: 'none' as const, note }) };
  });
}

describe.each(vendorNames)('the requests of a conversation to %s', (vendor) => {
  test('begin with those before them', async () => {
    const prefixes = (await send(vendor, listCalls())).map((body) => readPrefix(vendor, body));
    const last = prefixes[5];
    if (!last) throw new Error('no request without tools was made');
    // A server that may ignore the choice of tools is shown none, and told why with the instructions.
    if (vendor === 'compatible') last.head = prefixes[0]?.head ?? '';
    else expect(last.parts.pop()).toContain(note);
    expect(
      prefixes.slice(1).map((after, index) => prefixes[index] && findChange(prefixes[index], after)),
    ).toEqual(Array.from({ length: 6 }, () => null));
  });
});

/** The places of a request to Anthropic that have a mark: `system`, and the numbers of messages from the end. */
function listMarks({ system, messages }: JsonObject): (string | number)[] {
  const marks = (value: unknown) =>
    JSON.stringify(value).split('"cache_control":{"type":"ephemeral"}').length - 1;
  const list = messages as JsonObject[];
  return [
    ...Array.from({ length: marks(system) }, () => 'system'),
    ...list.flatMap((message, index) => Array.from({ length: marks(message) }, () => index - list.length)),
  ];
}

describe('Anthropic', () => {
  test('is told to cache the instructions, the messages, and those that the former call had', async () => {
    const bodies = await send('anthropic', listCalls());
    expect(bodies.map(listMarks)).toEqual([
      ['system', -1],
      ...Array.from({ length: 6 }, () => ['system', -3, -1]),
    ]);
    expect(bodies[0]?.['system']).toEqual([
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
    ]);
    // The note of the sixth call is behind the mark.
    const content = (bodies[5]?.['messages'] as JsonObject[]).at(-1)?.['content'] as JsonObject[];
    expect(content.map((part) => [part['type'], part['cache_control'] !== undefined])).toEqual([
      ['tool_result', false],
      ['tool_result', true],
      ['text', false],
    ]);
  });

  test('keeps entries for an hour when the agent says so', async () => {
    const bodies = await send('anthropic', [
      { promptCaching: '1h' },
      { promptCaching: '1h', messages: [user('Hm.')] },
    ]);
    for (const body of bodies) {
      const marks = [...JSON.stringify(body).matchAll(/"cache_control":(\{[^}]*\})/g)].map(
        ([, mark]) => mark,
      );
      expect(marks).toEqual(Array.from({ length: 2 }, () => '{"type":"ephemeral","ttl":"1h"}'));
    }
  });

  test('gets no marks when the agent switches caching off', async () => {
    const bodies = await send('anthropic', [{ promptCaching: 'off' }]);
    expect(JSON.stringify(bodies)).not.toContain('cache_control');
  });
});

describe('OpenAI', () => {
  test('finds the cache of a conversation by its id, unless the agent names another key', async () => {
    const own = { openai: { promptCacheKey: 'mine', promptCacheRetention: '24h' } };
    const kept = { promptCaching: '1h' } as const;
    const bodies = await send('openai', [{}, { providerOptions: own }, { promptCaching: 'off' }, kept]);
    const keys = [conversation, 'mine', undefined, conversation];
    expect(bodies.map((body) => body['prompt_cache_key'])).toEqual(keys);
    expect(bodies[1]?.['prompt_cache_retention']).toBe('24h');
  });
});
