import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toStandardChunk } from './chat-deviations.ts';
import type { Piece, PieceFormat } from './piece-format.ts';

/** The fields of a delta that bring text, in the order in which the AI SDK prefers them. */
const textFields = ['content', 'reasoning_content', 'reasoning'] as const;

/** The fields of a delta that must be missing or empty in an event that brings one piece. */
const contentFields = [...textFields, 'refusal', 'tool_calls', 'function_call', 'audio'] as const;

/**
 * The events of Chat Completions.
 * See https://platform.openai.com/docs/api-reference/chat-streaming/streaming.
 */
export const chatPieces: PieceFormat = {
  toStandard: toStandardChunk,
  readPiece: (event) => {
    const delta = readDelta(event);
    if (delta === null) return null;
    const filled = contentFields.filter((field) => !isEmpty(delta[field]));
    const [field] = filled;
    if (filled.length !== 1 || field === undefined) return null;
    if (field === 'tool_calls') return readArguments(delta['tool_calls']);
    const text = delta[field];
    if (typeof text !== 'string' || !textFields.some((name) => name === field)) return null;
    return { key: field, text, isAnswer: field === 'content' };
  },
  toJoined: ({ first, last, text }) => {
    const usage = last['usage'] ?? first['usage'];
    return {
      ...first,
      ...(usage === undefined ? {} : { usage }),
      choices: [{ index: 0, finish_reason: null, delta: withText(readDelta(first) ?? {}, text) }],
    };
  },
  mayChangeText: (event) =>
    'error' in event ||
    toArray(event['choices']).some((choice) => {
      const delta = isJsonObject(choice) ? choice['delta'] : null;
      return isJsonObject(delta) && !(isEmpty(delta['content']) && isEmpty(delta['refusal']));
    }),
};

/** Returns the delta of an event that says nothing but it; null for any other event. */
function readDelta(event: JsonObject): JsonObject | null {
  const choices = toArray(event['choices']);
  const [choice] = choices;
  if (choices.length !== 1 || !isJsonObject(choice) || 'error' in event) return null;
  const { delta, finish_reason: reason = null } = choice;
  if (reason !== null || !isJsonObject(delta)) return null;
  return isEmpty(delta['role']) || delta['role'] === 'assistant' ? delta : null;
}

/** Returns the piece of the arguments of one call whose name and id came before. */
function readArguments(calls: JsonValue | undefined): Piece | null {
  const [call, ...more] = toArray(calls);
  if (!isJsonObject(call) || more.length > 0 || typeof call['index'] !== 'number') return null;
  const { function: called } = call;
  if (!isJsonObject(called) || !isEmpty(call['id']) || !isEmpty(called['name'])) return null;
  const text = called['arguments'];
  if (typeof text !== 'string' || text === '' || !isEmpty(call['extra_content'])) return null;
  return { key: `arguments ${call['index']}`, text, isAnswer: false };
}

function withText(delta: JsonObject, text: string): JsonObject {
  const [call] = toArray(delta['tool_calls']);
  if (isJsonObject(call)) {
    const called = isJsonObject(call['function']) ? call['function'] : {};
    return { ...delta, tool_calls: [{ ...call, function: { ...called, arguments: text } }] };
  }
  const field = textFields.find((name) => !isEmpty(delta[name])) ?? 'content';
  return { ...delta, [field]: text };
}

function toArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
