import type { JsonObject } from '../../../../src/domain/json.ts';

type Random = (below: number) => number;

/** Returns the lines of a stream of events in one of the protocols, ordinary and odd, from random choices. */
export type StreamScript = (random: Random) => string[];

const words = ['Hello', ' wörld', '\n\n', ' 🙂🙂', '"', ' data: x', '\\u', ' end', '   '];

function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[random(values.length)] ?? values[0];
}

function repeat(random: Random, most: number, make: (index: number) => JsonObject[]): JsonObject[] {
  return Array.from({ length: random(most + 1) }, (_, index) => make(index)).flat();
}

const toWord = (random: Random) => words[random(words.length)] ?? '';

/** Puts what only bad servers send into some of the streams, and cuts others short. */
function toLines(random: Random, events: JsonObject[], odd: readonly string[]): string[] {
  const lines = events.map((event) => JSON.stringify(event));
  const choice = random(8);
  if (choice === 0) lines.splice(random(lines.length + 1), 0, odd[random(odd.length)] ?? '');
  if (choice === 1) lines.length = random(lines.length + 1);
  return lines;
}

export const chatScript: StreamScript = (random) => {
  const head = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'written-1' };
  const usage = () => ({ prompt_tokens: 10 + random(5), completion_tokens: 1 + random(9) });
  const hasUsage = random(2) === 0;
  const toChunk = (delta: JsonObject, reason: string | null = null): JsonObject => ({
    ...head,
    ...(hasUsage && { usage: usage() }),
    choices: [{ index: 0, delta, finish_reason: reason, ...(random(3) === 0 && { logprobs: null }) }],
  });
  const text = () =>
    toChunk({ content: toWord(random), ...(random(2) === 0 && { role: 'assistant', refusal: null }) });
  const called = (index: number, more: JsonObject, args: string) =>
    toChunk({
      tool_calls: [
        { index, ...more, function: { ...(more['id'] && { name: 'get_weather' }), arguments: args } },
      ],
    });
  const kinds: ((index: number) => JsonObject[])[] = [
    () => repeat(random, 8, () => [text()]),
    () => repeat(random, 6, () => [toChunk({ reasoning_content: toWord(random), content: null })]),
    () => repeat(random, 3, () => [toChunk({ reasoning: toWord(random) })]),
    () => [toChunk({ content: toWord(random), reasoning_content: toWord(random) })],
    () => [toChunk({ content: [{ type: 'text', text: toWord(random) }] })],
    () => [toChunk({ refusal: toWord(random) })],
    () => [toChunk({}), toChunk({ content: '' })],
    () => [{ ...head, choices: [], usage: usage() }],
    (index) => [
      called(index, { id: `call_${index}`, type: 'function' }, ''),
      ...Array.from(JSON.stringify({ city: toWord(random) })).map((character) =>
        called(index, {}, character),
      ),
    ],
    () => [
      {
        ...head,
        choices: [
          { index: 0, delta: { content: 'two' } },
          { index: 1, delta: { content: 'answers' } },
        ],
      },
    ],
  ];
  const events = [
    toChunk({ role: 'assistant', content: '' }),
    ...repeat(random, 5, (index) => (kinds[random(kinds.length)] ?? (() => []))(index)),
    toChunk(
      random(2) === 0 ? {} : { content: toWord(random) },
      pick(random, ['stop', 'tool_calls', 'length']),
    ),
    ...(random(2) === 0 ? [{ ...head, choices: [], usage: usage() }] : []),
  ];
  const odd = [
    '{"error":{"message":"overloaded"}}',
    '{ no JSON',
    '[1]',
    '{"choices":[{"delta":{"content":7}}]}',
  ];
  return [...toLines(random, events, odd), '[DONE]'];
};

export const responsesScript: StreamScript = (random) => {
  const response = { id: 'resp_1', created_at: 1, model: 'gpt-x-2026' };
  let number = 0;
  const numbered = (event: JsonObject): JsonObject => ({ ...event, sequence_number: (number += 1) });
  const item = (index: number, made: JsonObject, ...between: JsonObject[]) => [
    numbered({ type: 'response.output_item.added', output_index: index, item: made }),
    ...between.map((event) => numbered({ ...event, item_id: made['id'] ?? '', output_index: index })),
    numbered({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...made, status: 'completed' },
    }),
  ];
  const delta = (type: string, more: JsonObject = {}): JsonObject => ({
    type,
    ...more,
    delta: toWord(random),
  });
  const kinds: ((index: number) => JsonObject[])[] = [
    (index) =>
      item(
        index,
        { type: 'message', id: `msg_${index}` },
        ...repeat(random, 8, () => [delta('response.output_text.delta', { content_index: 0, logprobs: [] })]),
      ),
    (index) =>
      item(
        index,
        { type: 'message', id: `msg_${index}` },
        ...repeat(random, 3, () => [delta('response.output_text.delta', { content_index: 0 })]),
        delta('response.refusal.delta', { content_index: 0 }),
        delta('response.output_text.delta', { content_index: 0 }),
      ),
    (index) =>
      item(
        index,
        { type: 'reasoning', id: `rs_${index}`, encrypted_content: 'sealed', summary: [] },
        { type: 'response.reasoning_summary_part.added', summary_index: 0 },
        ...repeat(random, 6, () => [delta('response.reasoning_summary_text.delta', { summary_index: 0 })]),
        { type: 'response.reasoning_summary_part.done', summary_index: 0 },
      ),
    (index) =>
      item(
        index,
        {
          type: 'function_call',
          id: `fc_${index}`,
          call_id: `call_${index}`,
          name: 'get_weather',
          arguments: '{"city":"Kiel"}',
        },
        { type: 'response.function_call_arguments.delta', delta: '{"city":' },
        { type: 'response.function_call_arguments.delta', delta: '"Kiel"}' },
      ),
  ];
  const usage = { input_tokens: 10, output_tokens: 5 };
  const events = [
    numbered({ type: 'response.created', response }),
    ...repeat(random, 4, (index) => (kinds[random(kinds.length)] ?? (() => []))(index)),
    numbered({ type: 'response.completed', response: { ...response, usage, incomplete_details: null } }),
  ];
  return toLines(random, events, [
    '{"type":"error","code":"busy","message":"overloaded","param":null}',
    '{ no JSON',
    '{"type":"response.new.event"}',
  ]);
};

export const messagesScript: StreamScript = (random) => {
  const usage = { input_tokens: 12, output_tokens: 1 };
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    model: 'claude-x-2026',
    content: [],
    usage,
  };
  const block = (index: number, made: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
    { type: 'content_block_start', index, content_block: made },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const kinds: ((index: number) => JsonObject[])[] = [
    (index) =>
      block(
        index,
        { type: 'text', text: '' },
        ...repeat(random, 8, () => [{ type: 'text_delta', text: toWord(random) }]),
      ),
    (index) =>
      block(
        index,
        { type: 'thinking', thinking: '' },
        ...repeat(random, 6, () => [{ type: 'thinking_delta', thinking: toWord(random) }]),
        { type: 'signature_delta', signature: 'signed' },
      ),
    (index) =>
      block(
        index,
        { type: 'tool_use', id: `toolu_${index}`, name: 'get_weather', input: {} },
        ...Array.from(JSON.stringify({ city: toWord(random) })).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ),
    () => [{ type: 'ping' }],
  ];
  const events = [
    { type: 'message_start', message },
    ...repeat(random, 5, (index) => (kinds[random(kinds.length)] ?? (() => []))(index)),
    {
      type: 'message_delta',
      delta: { stop_reason: pick(random, ['end_turn', 'tool_use', 'max_tokens']), stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
  return toLines(random, events, [
    '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}',
    '{ no JSON',
  ]);
};
