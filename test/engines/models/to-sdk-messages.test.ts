import { expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/domain/model.ts';
import { toSdkMessages as toMessages } from '../../../src/engines/models/to-sdk-messages.ts';

const names = { toSdkName: (name: string) => name };

function toSdkMessages(messages: ModelMessage[], model: string) {
  return toMessages(messages, { model, names, files: { optionsName: 'demo', takesInResults: true } });
}

function callWeather(...ids: string[]): ModelMessage {
  const toolCalls = ids.map((modelCallId) => ({
    modelCallId,
    name: 'get_weather',
    arguments: { for: modelCallId },
  }));
  return { role: 'assistant', text: '', toolCalls };
}

function tellWeather(modelCallId: string, text: string, isError = false): ModelMessage {
  return { role: 'tool', modelCallId, name: 'get_weather', text, isError };
}

test('text, calls and results are mapped', () => {
  const messages = toSdkMessages(
    [
      { role: 'user', text: 'Hi' },
      callWeather('a', 'b'),
      tellWeather('b', 'no', true),
      tellWeather('a', 'sun'),
    ],
    'demo',
  );
  expect(messages).toEqual([
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'a', toolName: 'get_weather', input: { for: 'a' } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'get_weather', input: { for: 'b' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'get_weather',
          output: { type: 'error-text', value: 'no' },
        },
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'get_weather',
          output: { type: 'text', value: 'sun' },
        },
      ],
    },
  ]);
});

test('results of calls with the same id are matched to these calls in their order', () => {
  const messages = toSdkMessages(
    [callWeather('x', 'x'), tellWeather('x', 'one'), tellWeather('x', 'two')],
    'demo',
  );
  expect(messages[0]?.content).toMatchObject([{ toolCallId: 'x' }, { toolCallId: 'x_2' }]);
  expect(messages[1]?.content).toMatchObject([
    { toolCallId: 'x', output: { value: 'one' } },
    { toolCallId: 'x_2', output: { value: 'two' } },
  ]);
});

test('a new id is never an id that the model used itself', () => {
  const messages = toSdkMessages([callWeather('x', 'x', 'x_2')], 'demo');
  expect(messages[0]?.content).toMatchObject([
    { toolCallId: 'x' },
    { toolCallId: 'x_2' },
    { toolCallId: 'x_2_2' },
  ]);
});

test('a call without a result gets a message that it has none', () => {
  const messages = toSdkMessages(
    [callWeather('a', 'b'), tellWeather('a', 'sun'), { role: 'user', text: 'And?' }],
    'demo',
  );
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  expect(messages[1]?.content).toMatchObject([
    { toolCallId: 'a', output: { type: 'text' } },
    { toolCallId: 'b', output: { type: 'error-text' } },
  ]);
});

test('results without a call and answers without content are left out', () => {
  const empty: ModelMessage = { role: 'assistant', text: '', toolCalls: [] };
  expect(toSdkMessages([tellWeather('a', 'sun'), empty, { role: 'user', text: 'Hi' }], 'demo')).toEqual([
    { role: 'user', content: 'Hi' },
  ]);
});

test('arguments that were not an object are sent as an empty object', () => {
  const toolCalls = [{ modelCallId: 'a', name: 'get_weather', arguments: null, invalidArguments: '{"ci' }];
  const messages = toSdkMessages([{ role: 'assistant', text: 'Hm.', toolCalls }], 'demo');
  expect(messages[0]?.content).toMatchObject([
    { type: 'text', text: 'Hm.' },
    { type: 'tool-call', input: {} },
  ]);
});

test('text and calls are sent when the stored parts do not match them', () => {
  const kept = { role: 'assistant', text: 'Yes.', toolCalls: [] } as const;
  const contents = [null, 'x', { model: 'm', parts: 1 }, { model: 'm', parts: [{ type: 'tool-call' }] }];
  for (const providerContent of contents) {
    expect(toSdkMessages([{ ...kept, toolCalls: [], providerContent }], 'm')[0]?.content).toEqual([
      { type: 'text', text: 'Yes.' },
    ]);
  }
});
