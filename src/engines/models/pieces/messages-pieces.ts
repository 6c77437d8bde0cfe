import { isJsonObject, type JsonValue } from '../../../domain/json.ts';
import type { PieceFormat } from './piece-format.ts';

/** The field with the text of a delta, by the delta's type. */
const textFields = new Map<JsonValue | undefined, string>([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
]);

/** The types of deltas that bring no text of the answer. */
const silentDeltas: ReadonlySet<JsonValue | undefined> = new Set([
  ...['thinking_delta', 'input_json_delta', 'signature_delta', 'citations_delta'],
]);

/**
 * The events of the Messages API of Anthropic.
 * See https://platform.claude.com/docs/en/build-with-claude/streaming.
 */
export const messagesPieces: PieceFormat = {
  readPiece: ({ type, index, delta }) => {
    if (type !== 'content_block_delta' || typeof index !== 'number' || !isJsonObject(delta)) return null;
    const field = textFields.get(delta['type']);
    const text = field === undefined ? undefined : delta[field];
    if (typeof text !== 'string') return null;
    return { key: `${field} ${index}`, text, isAnswer: field === 'text' };
  },
  toJoined: ({ first, text }) => {
    const delta = isJsonObject(first['delta']) ? first['delta'] : {};
    return { ...first, delta: { ...delta, [textFields.get(delta['type']) ?? 'text']: text } };
  },
  // Summaries of a conversation that was compacted come as text too, and not always in pieces.
  mayChangeText: ({ type, content_block: block, delta }) =>
    type === 'error' ||
    (type === 'content_block_delta' && isJsonObject(delta) && !silentDeltas.has(delta['type'])) ||
    (type === 'content_block_start' && isJsonObject(block) && block['type'] === 'compaction'),
};
