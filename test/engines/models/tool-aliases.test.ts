import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { CallLanguageModel, ModelMessage, ModelTool } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startScriptedModel } from '../../servers/scripted-model.ts';
import { startEventStreamServer } from '../../servers/event-stream-server.ts';
import { createModelCall } from '../../fixtures/model-call.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const name = 'kr-legal:search.cases';
const alias = /^kr-legal_search_cases_[0-9a-f]{8}$/;
const tool: ModelTool = { name, description: 'Searches.', schema: { type: 'object', properties: {} } };

/** Asks twice: the second time with the first answer and the result of its call as the history. */
async function askTwice(callModel: CallLanguageModel, model: string) {
  const first = await callModel(createModelCall({ model, tools: [tool] }).call);
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Hello' },
    { role: 'assistant', ...first },
    { role: 'tool', modelCallId: first.toolCalls[0]?.modelCallId ?? '', name, text: 'found', isError: false },
  ];
  await callModel(createModelCall({ model, tools: [tool], messages }).call);
  return first;
}

function findNames(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"(kr-legal[^"]*)"/g)].map(([, found = '']) => found);
}

test('an OpenAI-compatible server gets only tool names that it accepts', async () => {
  const scripted = await startScriptedModel();
  cleanups.push(scripted.close);
  scripted.reply(
    (body) => ({
      reasoning: 'Hm.',
      toolCalls: [{ name: body.tools?.[0]?.function.name ?? '', arguments: { q: 1 } }],
    }),
    { text: 'Done.' },
  );
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl } });
  const answer = await askTwice(callModel, 'compatible/x');
  expect(answer.toolCalls).toMatchObject([{ name, arguments: { q: 1 } }]);
  const sent = scripted.requests.flatMap(({ body }) => findNames(body));
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]).toMatch(alias);
});

function toToolUse(toolName: string): JsonObject[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { type: 'message', id: 'm', role: 'assistant', model: 'claude', content: [], usage };
  return [
    { type: 'message_start', message },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: toolName, input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":1}' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ];
}

test('Anthropic gets the same alias for the tool, its calls and its history', async () => {
  const probe = await startEventStreamServer({ events: toToolUse('none') });
  await createLanguageModelCaller({ anthropic: { apiKey: 'k', baseUrl: probe.baseUrl } })(
    createModelCall({ model: 'anthropic/claude', tools: [tool] }).call,
  );
  await probe.close();
  const [given = ''] = findNames(probe.requests[0]?.body);
  expect(given).toMatch(alias);

  const server = await startEventStreamServer({ events: toToolUse(given) }, { events: toToolUse(given) });
  cleanups.push(server.close);
  const callModel = createLanguageModelCaller({ anthropic: { apiKey: 'k', baseUrl: server.baseUrl } });
  const answer = await askTwice(callModel, 'anthropic/claude');
  expect(answer.toolCalls).toMatchObject([{ name }]);
  expect(findNames(server.requests.map(({ body }) => body))).toEqual([given, given, given]);
});
