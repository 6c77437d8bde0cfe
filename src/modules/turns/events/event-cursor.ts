import { createInvalidInput } from '../../../domain/errors.ts';
import type { StreamCursor } from '../follow/delivery.ts';

/** The text of a cursor: the number of an event and, after a dot, the id of a chunk, which may be missing. */
export const cursorPattern = /^\d{1,15}(\.\d{1,15})?$/;

/** The message of the error for a text that is not a cursor. */
export const expectedCursor = 'expected the id of an event of this stream, as in "12.345"';

/**
 * Parses a cursor; without a text it is the position before the first event.
 * @throws HoldfastError `INVALID_INPUT` that names the field
 */
export function parseCursor(text: string | undefined, field: string): StreamCursor {
  if (text === undefined) return { seq: 0, chunkId: 0 };
  if (!cursorPattern.test(text)) throw createInvalidInput([{ field, message: expectedCursor }]);
  const [seq, chunkId = '0'] = text.split('.');
  return { seq: Number(seq), chunkId: Number(chunkId) };
}

/** Writes a cursor as the `id` of a frame. */
export function toCursorText({ seq, chunkId }: StreamCursor): string {
  return `${seq}.${chunkId}`;
}
