import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelCall } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';
import { startEventStreamServer } from '../../servers/event-stream-server.ts';

let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

/** Calls a model whose server answers with some events, and returns the usage of the answer. */
async function readUsage(model: string, events: JsonObject[], more: Partial<ModelCall> = {}) {
  server = await startEventStreamServer({ events });
  const vendor = { apiKey: `test-${crypto.randomUUID()}`, baseUrl: server.baseUrl };
  const config = { openai: vendor, anthropic: vendor, google: vendor, compatible: vendor };
  const { call } = createModelCall({ model, ...more });
  return (await createLanguageModelCaller(config)(call)).usage;
}

const text = 'It rains.'.padEnd(400, '.');
const instructions = 'Be brief.'.padEnd(800, '.');

const chunk = (delta: JsonObject, more: JsonObject = {}, reason: string | null = null) => ({
  ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'plain', ...more },
  choices: [{ index: 0, delta, finish_reason: reason }],
});
const compatible = (usage: JsonObject = {}) => [
  chunk({ role: 'assistant', content: text }),
  chunk({}, usage, 'stop'),
];

const response = { id: 'resp_1', created_at: 1, model: 'gpt-test', incomplete_details: null };
const openai = [
  { type: 'response.created', response },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: text },
  { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'msg_1', phase: null } },
  { type: 'response.completed', response: { ...response, usage: null } },
];

/** The SDK refuses an answer of Anthropic without counts, so that a server that does not count sends zeros. */
const anthropicStart = { type: 'message', id: 'msg_1', role: 'assistant', model: 'claude-test', content: [] };
const anthropic = [
  { type: 'message_start', message: { ...anthropicStart, usage: { input_tokens: 0, output_tokens: 0 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  {
    ...{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
    usage: { output_tokens: 0 },
  },
  { type: 'message_stop' },
];

const content = { role: 'model', parts: [{ text }] };
const google = [{ candidates: [{ content, finishReason: 'STOP' }], modelVersion: 'gemini-test' }];

test.each([
  ['openai/gpt-5-mini', openai],
  ['anthropic/claude-sonnet-4-5', anthropic],
  ['google/gemini-2.5-flash', google],
  ['compatible/plain', compatible()],
])('an answer of %s without usage has estimates by its texts, and says so', async (model, events) => {
  const usage = await readUsage(model, events, { instructions, tools: [weatherTool] });
  expect(usage).toMatchObject({ outputTokens: 100, reasoningTokens: 0, isEstimated: true });
  expect(usage.inputTokens).toBeGreaterThan(240);
  expect(usage.inputTokens).toBeLessThan(300);
});

test('a count that was reported stays, and the missing one is estimated', async () => {
  const usage = await readUsage('compatible/plain', compatible({ usage: { prompt_tokens: 77 } }));
  expect(usage).toMatchObject({ inputTokens: 77, outputTokens: 100, isEstimated: true });
});

test('reasoning and tool calls count as output, up to the limit of the call', async () => {
  const written = { index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const events = [
    chunk({ role: 'assistant', reasoning_content: 'I think.'.padEnd(40, '.') }),
    chunk({ tool_calls: [written] }),
    chunk({}, {}, 'tool_calls'),
  ];
  const usage = await readUsage('compatible/plain', events, { tools: [weatherTool] });
  expect(usage).toMatchObject({ outputTokens: 14, reasoningTokens: 10, isEstimated: true });
  await server.close();
  const limited = await readUsage('compatible/plain', compatible(), { maxOutputTokens: 30 });
  expect(limited).toMatchObject({ outputTokens: 30, isEstimated: true });
});

test('more tokens than bytes were sent or came back are capped by them, and say so', async () => {
  const usage = await readUsage(
    'compatible/plain',
    compatible({
      usage: {
        prompt_tokens: 5e9,
        prompt_tokens_details: { cached_tokens: 3e9 },
        completion_tokens: 7e9,
      },
    }),
    { instructions, maxOutputTokens: 200 },
  );
  expect(usage).toMatchObject({ outputTokens: 400, isEstimated: true });
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  expect(input).toBeGreaterThan(800);
  expect(input).toBeLessThan(2_200);
});

test('an answer without a limit may have reasoned out of sight, but not more than any model writes', async () => {
  const reported = (tokens: number) => compatible({ usage: { prompt_tokens: 9, completion_tokens: tokens } });
  expect(await readUsage('compatible/plain', reported(60_000))).toMatchObject({ outputTokens: 60_000 });
  await server.close();
  expect(await readUsage('compatible/plain', reported(5e9))).toMatchObject({
    outputTokens: 1_000_000,
    isEstimated: true,
  });
});

test('an empty answer with its input counted is as reported', async () => {
  const usage = await readUsage('compatible/plain', [
    chunk({ role: 'assistant', content: '' }),
    chunk({}, { usage: { prompt_tokens: 9, completion_tokens: 0 } }, 'stop'),
  ]);
  expect(usage).toMatchObject({ inputTokens: 9, outputTokens: 0 });
  expect(usage).not.toHaveProperty('isEstimated');
});
