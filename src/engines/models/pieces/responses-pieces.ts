import type { JsonValue } from '../../../domain/json.ts';
import type { PieceFormat } from './piece-format.ts';

const textType = 'response.output_text.delta';

/** The events whose `delta` is a piece, with the field that says which part of its item it belongs to. */
const partFields = new Map([
  [textType, 'content_index'],
  ['response.reasoning_summary_text.delta', 'summary_index'],
  ['response.function_call_arguments.delta', 'output_index'],
]);

/** The events of text that is no piece, and of errors. */
const changingTypes: ReadonlySet<JsonValue | undefined> = new Set([
  ...[textType, 'response.refusal.delta', 'response.failed', 'error'],
]);

/**
 * The events of the Responses API of OpenAI.
 * See https://platform.openai.com/docs/api-reference/responses-streaming.
 */
export const responsesPieces: PieceFormat = {
  readPiece: (event) => {
    const { type, item_id: item, output_index: output, delta, logprobs } = event;
    const partField = typeof type === 'string' ? partFields.get(type) : undefined;
    if (typeof type !== 'string' || partField === undefined) return null;
    if (typeof item !== 'string' || typeof output !== 'number' || typeof delta !== 'string') return null;
    if (Array.isArray(logprobs) && logprobs.length > 0) return null;
    const part = event[partField];
    if (typeof part !== 'number') return null;
    return { key: `${type} ${item} ${output} ${part}`, text: delta, isAnswer: type === textType };
  },
  toJoined: ({ first, text }) => ({ ...first, delta: text }),
  mayChangeText: ({ type }) => changingTypes.has(type),
};
