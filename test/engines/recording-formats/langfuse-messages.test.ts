import { expect, test } from 'vitest';
import { recordingSchema } from '../../../src/domain/recording.ts';
import { readFormat } from '../../../src/engines/recording-formats/read-format.ts';

const defaults = { model: 'unknown', agentName: 'Imported', now: '2026-11-01T12:00:00.000Z' };

function read(rows: object[]) {
  const file = readFormat('langfuse', JSON.stringify(rows), defaults);
  expect(file.recordings.map((recording) => recordingSchema.parse(recording))).toEqual(file.recordings);
  return file;
}

const said = { role: 'user', content: 'Weather?' };
const anthropic = {
  first: { system: 'Be brief.', messages: [said] },
  call: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } },
    ],
    stop_reason: 'tool_use',
  },
  result: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '21 degrees' }] },
    ],
  },
};
const responses = {
  first: [{ role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] }],
  call: [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'get_weather',
      arguments: '{"city":"Rome"}',
    },
  ],
  result: { type: 'function_call_output', call_id: 'call_1', output: '21 degrees' },
};
const langChain = {
  first: [{ type: 'human', content: 'Weather?' }],
  call: {
    ...{ type: 'ai', content: 'Let me look.' },
    additional_kwargs: {
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
      ],
    },
  },
  result: { type: 'tool', content: '21 degrees', tool_call_id: 'call_1' },
};
const aiSdk = {
  first: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }] },
  call: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Rome' } },
    ],
  },
  result: {
    role: 'tool',
    content: [
      {
        ...{ type: 'tool-result', toolCallId: 'call_1', toolName: 'get_weather' },
        output: { type: 'text', value: '21 degrees' },
      },
    ],
  },
};

/** Two generations of one trace: the second one sees the call of the first, and its result. */
function trace({ first, call, result }: { first: object; call: object; result: object }, traceId = 't1') {
  const before = Array.isArray(first) ? (first as object[]) : (first as { messages: object[] }).messages;
  const seen = [...before, ...(Array.isArray(call) ? (call as object[]) : [call]), result];
  const place = { traceId, type: 'GENERATION', model: 'm' };
  return [
    { ...place, id: `${traceId}-1`, startTime: '2026-11-01T12:00:01.000Z', input: first, output: call },
    {
      ...{ ...place, id: `${traceId}-2`, startTime: '2026-11-01T12:00:02.000Z' },
      ...{ input: Array.isArray(first) ? seen : { ...first, messages: seen } },
      output: { role: 'assistant', content: 'It has 21 degrees.' },
    },
  ];
}

test.each(Object.entries({ anthropic, responses, langChain, aiSdk }))(
  'tool calls in traces of Langfuse are read as %s writes them',
  (_, messagesOf) => {
    expect(read(trace(messagesOf)).recordings).toMatchObject([
      {
        message: { text: 'Weather?' },
        turn: { outcome: 'completed', answer: 'It has 21 degrees.', iterations: 2 },
        steps: [
          {
            text: 'Let me look.',
            toolCalls: [
              {
                ...{ name: 'get_weather', arguments: { city: 'Rome' } },
                ...{ status: 'succeeded', result: '21 degrees' },
              },
            ],
          },
          { text: 'It has 21 degrees.', toolCalls: [] },
        ],
      },
    ]);
  },
);

test('traces that cannot be read are refused with their line, and the others are read', () => {
  const unknown = {
    ...anthropic,
    call: { role: 'assistant', content: [{ type: 'server_tool_use', id: 's' }] },
  };
  const rows = [...trace(unknown, 'broken'), ...trace(anthropic), { traceId: 'late', type: 'GENERATION' }];
  const text = [...rows.map((row) => JSON.stringify(row)), '{"name":"a"}'].join('\n');
  const { recordings, refused } = readFormat('langfuse', text, defaults);
  expect(recordings.map(({ conversation }) => conversation.id)).toEqual(['t1']);
  expect(refused).toMatchObject([
    { line: 6, message: expect.stringContaining('expected observations or traces') as string },
    { line: 5, traceId: 'late', message: expect.stringContaining('expected the start time') as string },
    { line: 1, traceId: 'broken', message: expect.stringContaining('"server_tool_use"') as string },
  ]);
});
