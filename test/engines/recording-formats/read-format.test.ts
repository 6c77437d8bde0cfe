import { expect, test } from 'vitest';
import { recordingSchema } from '../../../src/domain/recording.ts';
import { readFormat, type ImportFormat } from '../../../src/engines/recording-formats/read-format.ts';

const defaults = { model: 'unknown', agentName: 'Imported', now: '2026-11-01T12:00:00.000Z' };

function read(format: ImportFormat, value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const { recordings, refused } = readFormat(format, text, defaults);
  expect(refused).toEqual([]);
  // Everything that a format gives can be imported as it is.
  expect(recordings.map((recording) => recordingSchema.parse(recording))).toEqual(recordings);
  return recordings;
}

const weather = {
  type: 'function',
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather',
    parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  },
};
const asked = {
  role: 'assistant',
  content: null,
  tool_calls: [
    {
      id: 'call_1',
      type: 'function',
      function: { name: 'get_current_weather', arguments: '{"location": "San Francisco, USA"}' },
    },
  ],
};
const messages = [
  { role: 'system', content: 'You are brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is the weather?' },
      { type: 'image_url', image_url: {} },
    ],
  },
  asked,
  { role: 'tool', tool_call_id: 'call_1', content: '21 degrees' },
  { role: 'assistant', content: 'It has 21 degrees.' },
];

test('lines of chat completions become turns with their tool calls', () => {
  const chat = { messages, tools: [weather], parallel_tool_calls: false };
  const more = {
    messages: [...messages, { role: 'user', content: 'Thanks' }, { role: 'assistant', content: 'Fine.' }],
  };
  const recordings = read('openai', `${JSON.stringify(chat)}\n\n${JSON.stringify(more)}\n`);
  expect(recordings).toMatchObject([
    {
      conversation: { id: expect.stringMatching(/^openai-/) as unknown },
      agent: { name: 'Imported', model: 'unknown', instructions: 'You are brief.' },
      tools: [{ name: 'get_current_weather', schema: weather.function.parameters }],
      turn: { ordinal: 1, outcome: 'completed', answer: 'It has 21 degrees.', iterations: 2 },
      message: { text: 'What is the weather?\n[image_url]' },
      steps: [
        {
          text: '',
          finishReason: 'tool_calls',
          toolCalls: [
            {
              modelCallId: 'call_1',
              arguments: { location: 'San Francisco, USA' },
              status: 'succeeded',
              result: '21 degrees',
            },
          ],
        },
        { text: 'It has 21 degrees.', finishReason: 'stop', toolCalls: [] },
      ],
    },
    { turn: { ordinal: 1 }, tools: [{ name: 'get_current_weather', schema: { type: 'object' } }] },
    { turn: { ordinal: 2, answer: 'Fine.' }, message: { text: 'Thanks' } },
  ]);
  expect(read('openai', chat)[0]?.conversation.id).toBe(recordings[0]?.conversation.id);
});

test('an example that ends with a tool call is a turn without an answer', () => {
  const [recording] = read('openai', { messages: messages.slice(0, 3), functions: [weather.function] });
  expect(recording).toMatchObject({
    tools: [{ name: 'get_current_weather' }],
    turn: { outcome: 'failed', answer: null, error: { code: 'INCOMPLETE' } },
    steps: [{ toolCalls: [{ status: 'unknown', result: null }] }],
  });
});

test('the older functions of chat completions and arguments that are not JSON are read', () => {
  const [recording] = read('openai', {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '', function_call: { name: 'look_up', arguments: '{"a":' } },
      { role: 'function', name: 'look_up', content: 'nothing' },
      { role: 'assistant', content: 'No.' },
    ],
  });
  expect(recording?.steps[0]?.toolCalls).toMatchObject([
    { name: 'look_up', arguments: null, invalidArguments: '{"a":', result: 'nothing' },
  ]);
});

test('UI messages of the AI SDK become turns, with a step at each step-start', () => {
  const chat = {
    id: 'chat-1',
    messages: [
      { id: 'm0', role: 'system', parts: [{ type: 'text', text: 'Help.' }] },
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
      {
        id: 'm2',
        role: 'assistant',
        metadata: { model: 'gpt-5', createdAt: 1_780_000_000_000 },
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'I need the weather.', state: 'done' },
          {
            type: 'tool-getWeather',
            toolCallId: 'call_1',
            state: 'output-available',
            input: { city: 'Rome' },
            output: { degrees: 21 },
          },
          {
            type: 'dynamic-tool',
            toolName: 'search',
            toolCallId: 'call_2',
            state: 'output-error',
            input: { q: 'Rome' },
            errorText: 'no network',
          },
          { type: 'step-start' },
          { type: 'text', text: 'It has ', state: 'done' },
          { type: 'text', text: '21 degrees.', state: 'done' },
          { type: 'source-url', sourceId: 's', url: 'https://example.com' },
        ],
      },
      { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Book it.' }] },
      {
        id: 'm4',
        role: 'assistant',
        parts: [{ type: 'tool-book', toolCallId: 'call_3', state: 'input-available', input: {} }],
      },
    ],
  };
  const expected = [
    {
      conversation: { id: 'chat-1', createdAt: '2026-05-28T20:26:40.000Z' },
      agent: { model: 'gpt-5', instructions: 'Help.' },
      tools: [{ name: 'book' }, { name: 'getWeather' }, { name: 'search' }],
      turn: { answer: 'It has 21 degrees.' },
      message: { text: 'Weather?' },
      steps: [
        {
          text: '',
          toolCalls: [
            {
              name: 'getWeather',
              arguments: { city: 'Rome' },
              status: 'succeeded',
              result: '{"degrees":21}',
            },
            { name: 'search', status: 'failed', error: { message: 'no network' } },
          ],
        },
        { text: 'It has 21 degrees.', toolCalls: [] },
      ],
    },
    { turn: { outcome: 'failed' }, steps: [{ toolCalls: [{ name: 'book', status: 'unknown' }] }] },
  ];
  expect(read('ai-sdk', chat)).toMatchObject(expected);
  expect(read('ai-sdk', [chat, chat])).toHaveLength(4);
  expect(read('ai-sdk', chat.messages)).toHaveLength(2);
});

const generation = {
  ...{ id: 'o1', traceId: 't1', type: 'GENERATION', name: 'chat', startTime: '2026-11-01T12:00:01.000Z' },
  ...{ model: 'gpt-5', modelParameters: { temperature: '0.2', max_tokens: 500 } },
  usageDetails: { input: 10, output: 5, total: 15, input_cached_tokens: 3 },
  input: { messages: messages.slice(0, 2), tools: [weather] },
  output: asked,
};
const answered = {
  ...generation,
  ...{ id: 'o2', startTime: '2026-11-01T12:00:03.000Z', input: { messages: messages.slice(0, 4) } },
  output: messages[4],
};
const titled = {
  ...generation,
  id: 'o3',
  input: 'Make a title',
  output: 'Weather',
  startTime: answered.startTime,
};
const span = { id: 'o4', traceId: 't1', type: 'SPAN', startTime: generation.startTime };
const later = {
  ...{ ...answered, id: 'o5', traceId: 't2', startTime: '2026-11-01T12:05:00.000Z' },
  input: [...messages, { role: 'user', content: 'Thanks' }],
  output: { role: 'assistant', content: 'Fine.' },
};

const inLangfuse = [
  {
    conversation: { createdAt: '2026-11-01T12:00:01.000Z' },
    agent: { model: 'gpt-5', instructions: 'You are brief.' },
    tools: [{ name: 'get_current_weather', description: 'Get the current weather' }],
    turn: { ordinal: 1, answer: 'It has 21 degrees.', settledAt: '2026-11-01T12:00:03.000Z' },
    steps: [
      {
        sampling: { temperature: 0.2, maxOutputTokens: 500 },
        usage: { inputTokens: 10, cacheReadTokens: 3, outputTokens: 5 },
        toolCalls: [{ arguments: { location: 'San Francisco, USA' }, result: '21 degrees' }],
      },
      { text: 'It has 21 degrees.' },
    ],
  },
  { turn: { ordinal: 2, answer: 'Fine.' }, message: { text: 'Thanks' } },
];

test('traces of Langfuse with one session become a conversation', () => {
  const traces = [
    { id: 't1', sessionId: 's1', name: 'weather', observations: [answered, span, titled, generation] },
    { id: 't2', sessionId: 's1', observations: [later] },
  ];
  const recordings = read('langfuse', traces);
  expect(recordings).toMatchObject(inLangfuse);
  expect(recordings[0]).toMatchObject({ conversation: { id: 's1', title: 'weather' } });
  expect(read('langfuse', { data: traces, meta: { page: 1 } })).toEqual(recordings);
});

test('observations of Langfuse in files have other names and texts of JSON', () => {
  const rows = [later, answered, titled, generation].map((row) => ({
    ...{ id: row.id, trace_id: row.traceId, session_id: 's1', trace_name: 'weather', type: row.type },
    start_time: row.startTime.replace('T', ' ').replace('Z', '000'),
    provided_model_name: row.model,
    model_parameters: JSON.stringify(row.modelParameters),
    usage_details: row.usageDetails,
    input: JSON.stringify(row.input),
    output: JSON.stringify(row.output),
  }));
  expect(read('langfuse', rows.map((row) => JSON.stringify(row)).join('\n'))).toMatchObject(inLangfuse);
});

test('a trace of Langfuse without a session has its earlier turns from its messages', () => {
  expect(read('langfuse', [later])).toMatchObject([
    { conversation: { id: 't2' }, turn: { ordinal: 1, answer: 'It has 21 degrees.' } },
    { turn: { ordinal: 2, answer: 'Fine.' } },
  ]);
});

test.each([
  ['openai', '{"messages":[]}\n{"prompt":"a"}', 'conversation 2: expected { messages'],
  ['openai', '{"messages":[{"role":"robot"}]}', 'expected a role of chat completions, found "robot"'],
  ['openai', '{"messages":[]}\nnonsense', 'line 2: expected JSON'],
  ['ai-sdk', '[{"role":"user","content":"a"}]', 'expected UI messages with "parts"'],
] as const)('files that are not %s are refused: %s', (format, text, message) => {
  expect(() => readFormat(format, text, defaults)).toThrow(message);
});
