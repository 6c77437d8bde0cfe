import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { getText, toText } from './draft.ts';

/**
 * Returns messages of several programs as those of OpenAI's chat completions:
 * - content blocks `tool_use` and `tool_result` of Anthropic (https://docs.claude.com/en/api/messages),
 * - items `message`, `function_call` and `function_call_output` of OpenAI's Responses
 *   (https://platform.openai.com/docs/api-reference/responses),
 * - `additional_kwargs.tool_calls` and the types `human` and `ai` of LangChain's messages,
 * - content parts `tool-call` and `tool-result` of the AI SDK (https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message).
 * @throws Error for tool calls and results of any other form
 */
export function toChatMessages(messages: readonly JsonValue[]): JsonObject[] {
  const read: JsonObject[] = [];
  for (const message of messages) {
    if (!isJsonObject(message)) throw new Error('messages: expected objects');
    for (const one of readMessage(message)) {
      const last = read.at(-1);
      // A response of several items is one answer of the model.
      const isSame = message['type'] === 'function_call' && last?.['role'] === 'assistant';
      if (isSame) last['tool_calls'] = [...toList(last['tool_calls']), ...toList(one['tool_calls'])];
      else read.push(one);
    }
  }
  return read;
}

const roles: Record<string, string> = { human: 'user', ai: 'assistant', AIMessageChunk: 'assistant' };

function readMessage(message: JsonObject): JsonObject[] {
  const { type } = message;
  if (type === 'function_call') return [toAnswer(null, [toCall(message['call_id'], message)])];
  if (type === 'function_call_output') return [toResult(message['call_id'], message['output'])];
  if (type === 'reasoning') return [];
  const named = getText(message, 'role') ?? getText(message, 'type') ?? '';
  const role = roles[named] ?? named;
  const content = toList(message['content']).filter(isJsonObject);
  const kwargs = isJsonObject(message['additional_kwargs']) ? message['additional_kwargs'] : {};
  const listed = toList(message['tool_calls']);
  const calls = listed.length > 0 ? listed : toList(kwargs['tool_calls']);
  if (role === 'assistant') return [readAnswer({ ...kwargs, ...message, tool_calls: calls }, content)];
  const results = content.filter(isResult).map(readResult);
  const others = content.filter((part) => !isResult(part));
  for (const part of others) refuseUnknown(part);
  if (results.length === 0) return [{ ...message, role }];
  return others.length === 0 ? results : [...results, { role: 'user', content: others }];
}

function readAnswer(message: JsonObject, content: JsonObject[]): JsonObject {
  const calls = content.filter(({ type }) => type === 'tool_use' || type === 'tool-call');
  const hidden = new Set<JsonValue | undefined>(['thinking', 'redacted_thinking', 'reasoning']);
  const others = content.filter((part) => !calls.includes(part) && !hidden.has(part['type']));
  for (const part of others) refuseUnknown(part);
  const named = [...toList(message['toolCalls']).filter(isJsonObject), ...calls];
  // Chat completions and LangChain list the calls of blocks beside them too.
  const listed = toList(message['tool_calls']);
  const all =
    listed.length > 0 ? listed : named.map((call) => toCall(call['id'] ?? call['toolCallId'], call));
  const text = content.length > 0 ? others : (message['content'] ?? message['text'] ?? null);
  return { ...message, role: 'assistant', content: text, tool_calls: all };
}

function toAnswer(content: JsonValue, calls: JsonValue[]): JsonObject {
  return { role: 'assistant', content, tool_calls: calls };
}

function toCall(id: JsonValue | undefined, call: JsonObject): JsonObject {
  const name = getText(call, 'name', 'toolName');
  if (name === undefined) throw new Error('expected the name of a tool call');
  const input = call['input'] ?? call['args'] ?? call['arguments'] ?? {};
  return { id: id ?? name, function: { name, arguments: input } };
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result' || type === 'tool-result';
}

function readResult(part: JsonObject): JsonObject {
  const id = part['tool_use_id'] ?? part['toolCallId'];
  if (part['type'] === 'tool_result') return toResult(id, part['content'], part['is_error'] === true);
  const output = part['output'];
  const isTyped = isJsonObject(output) && 'type' in output && 'value' in output;
  const isError = part['isError'] === true || (isTyped && toText(output['type']).startsWith('error'));
  return toResult(id, isTyped ? output['value'] : (output ?? part['result']), isError);
}

function toResult(id: JsonValue | undefined, content: JsonValue | undefined, isError = false): JsonObject {
  return { role: 'tool', tool_call_id: id ?? null, content: content ?? null, is_error: isError };
}

function refuseUnknown(part: JsonObject): void {
  const type = getText(part, 'type') ?? '';
  if (/tool|call/i.test(type)) throw new Error(`expected a known form of tool calls, found a part "${type}"`);
}

function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
