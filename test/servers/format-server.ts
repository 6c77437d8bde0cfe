import { startHttpServer } from './http-server.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { findFormatProblem, type FormatVendor } from './vendor-formats.ts';

/** A model server that answers requests of the documented format, and refuses others as the vendor does. */
export interface FormatServer {
  /** The address of the vendor's API. */
  baseUrl: string;
  /** The bodies of all requests, oldest first. */
  bodies: JsonObject[];
  close: () => Promise<void>;
}

/** Starts a server in place of a vendor. It answers each request with `Seen.`, or with the calls that `script` returns. */
export async function startFormatServer(
  vendor: FormatVendor,
  script: (body: JsonObject) => ScriptedCall | null = () => null,
): Promise<FormatServer> {
  const bodies: JsonObject[] = [];
  const server = await startHttpServer((_request, response, text) => {
    const body = JSON.parse(text) as JsonObject;
    bodies.push(body);
    const { status, type, text: answer } = answerStrictly(vendor, body, script(body));
    response.writeHead(status, { 'content-type': type });
    response.end(answer);
  });
  return { baseUrl: `${server.url}/v1`, bodies, close: server.close };
}

/** Returns what a vendor answers to a request: `Seen.` or a call as its stream has it, or why it refuses. */
export function answerStrictly(
  vendor: FormatVendor,
  body: JsonObject,
  call: ScriptedCall | null,
): { status: number; type: string; text: string } {
  const message = findFormatProblem(vendor, body);
  if (message !== null) {
    const error = { type: 'invalid_request_error', code: 400, message };
    return { status: 400, type: 'application/json', text: JSON.stringify({ error }) };
  }
  const events = answers[vendor === 'chat' ? 'compatible' : vendor](call);
  return { status: 200, type: 'text/event-stream', text: events.map(toEvent).join('') };
}

/** A tool call that the model asks for. */
interface ScriptedCall {
  tool: string;
  input: JsonObject;
  /** @default that of the vendor */
  id?: string;
}

type Answer = (call: ScriptedCall | null) => JsonObject[];

const usage = { input_tokens: 10, output_tokens: 2 };

const answers: Record<Exclude<FormatVendor, 'chat'>, Answer> = {
  openai: (call) => {
    const response = { id: 'resp_1', created_at: 1, model: 'gpt-test', incomplete_details: null };
    const item = call
      ? { type: 'function_call', id: 'fc_1', call_id: call.id ?? 'call_1', name: call.tool, arguments: '' }
      : { type: 'message', id: 'msg_1' };
    const written = call ? JSON.stringify(call.input) : '';
    const done = call ? { ...item, arguments: written, status: 'completed' } : { ...item, phase: null };
    const delta = call
      ? { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: written }
      : { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: 'Seen.' };
    return [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item },
      delta,
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: { ...response, usage } },
    ];
  },
  anthropic: (call) => {
    const block = call
      ? { type: 'tool_use', id: call.id ?? 'toolu_1', name: call.tool, input: {} }
      : { type: 'text', text: '' };
    const delta = call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
      : { type: 'text_delta', text: 'Seen.' };
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      model: 'claude-test',
      content: [],
      usage,
    };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ];
  },
  google: (call) => {
    const part = call ? { functionCall: { name: call.tool, args: call.input } } : { text: 'Seen.' };
    const content = { role: 'model', parts: [part] };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 };
    return [{ candidates: [{ content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'gemini-test' }];
  },
  compatible: (call) => {
    const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'seeing' };
    const calls = call && [
      {
        index: 0,
        id: call.id ?? 'call_1',
        type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) },
      },
    ];
    const delta = calls ? { tool_calls: calls } : { content: 'Seen.' };
    const counted = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    return [
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
      {
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }],
        usage: counted,
      },
    ];
  },
};

function toEvent(event: JsonObject): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
