import type { JsonObject } from '../../src/domain/json.ts';

/** The vendors whose formats {@link toVendorEvents} knows. */
export const vendorNames = ['openai', 'anthropic', 'google', 'compatible'] as const;
export type VendorName = (typeof vendorNames)[number];

/** An answer of a model: a text, tool calls, or both. */
export interface VendorAnswer {
  text?: string;
  calls?: { id: string; name: string; arguments: JsonObject }[];
}

/** Returns the events by which a vendor streams an answer. */
export function toVendorEvents(vendor: VendorName, { text = '', calls = [] }: VendorAnswer): JsonObject[] {
  return formats[vendor](text, calls);
}

type ToEvents = (text: string, calls: NonNullable<VendorAnswer['calls']>) => JsonObject[];

const toOpenAi: ToEvents = (text, calls) => {
  const response = { id: 'r', created_at: 1, model: 'm' };
  const message = { type: 'message', id: 'msg' };
  const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 };
  const said = [
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_text.delta', item_id: 'msg', delta: text },
    { type: 'response.output_item.done', output_index: 0, item: message },
  ];
  return [
    { type: 'response.created', sequence_number: 0, response },
    ...(text === '' ? [] : said),
    ...calls.flatMap(({ id, name, arguments: input }, index) => {
      const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '' };
      const written = JSON.stringify(input);
      return [
        { type: 'response.output_item.added', output_index: index + 1, item },
        {
          type: 'response.function_call_arguments.delta',
          item_id: item.id,
          output_index: index + 1,
          delta: written,
        },
        {
          ...{ type: 'response.output_item.done', output_index: index + 1 },
          item: { ...item, arguments: written, status: 'completed' },
        },
      ];
    }),
    {
      type: 'response.completed',
      sequence_number: 99,
      response: { ...response, usage, incomplete_details: null },
    },
  ];
};

const toAnthropic: ToEvents = (text, calls) => {
  const usage = {
    input_tokens: 6,
    cache_creation_input_tokens: 2,
    cache_read_input_tokens: 4,
    output_tokens: 1,
  };
  const message = { type: 'message', id: 'm', role: 'assistant', model: 'm', content: [], usage };
  const toBlock = (index: number, block: JsonObject, delta: JsonObject): JsonObject[] => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    { type: 'message_start', message },
    ...(text === '' ? [] : toBlock(0, { type: 'text', text: '' }, { type: 'text_delta', text })),
    ...calls.flatMap(({ id, name, arguments: input }, index) =>
      toBlock(
        index + 1,
        { type: 'tool_use', id, name, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ),
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ];
};

const toGoogle: ToEvents = (text, calls) => {
  const parts: JsonObject[] = [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
  ];
  const usageMetadata = {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 2,
    totalTokenCount: 12,
  };
  return [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }];
};

const toCompatible: ToEvents = (text, calls) => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm' };
  const toCall = ({ id, name, arguments: input }: (typeof calls)[number], index: number) => {
    return { index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  };
  const delta = { content: text, ...(calls.length > 0 && { tool_calls: calls.map(toCall) }) };
  const reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage },
  ];
};

const formats: Record<VendorName, ToEvents> = {
  openai: toOpenAi,
  anthropic: toAnthropic,
  google: toGoogle,
  compatible: toCompatible,
};
