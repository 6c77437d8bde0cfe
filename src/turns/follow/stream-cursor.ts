import { createInvalidInput } from '../../domain/errors.ts';

/** A reader's place: the number of the last stored event and the id of the last chunk that it was sent. */
export interface StreamCursor {
  seq: number;
  chunkId: number;
}

/** What a cursor looks like; the number of the chunk may be missing. */
export const cursorPattern = /^\d{1,15}(\.\d{1,15})?$/;

/**
 * Reads a cursor; nothing at all is the place before the first event.
 * @throws HoldfastError `INVALID_INPUT` that names the field
 */
export function parseCursor(text: string | undefined, field: string): StreamCursor {
  if (text === undefined) return { seq: 0, chunkId: 0 };
  if (!cursorPattern.test(text)) {
    throw createInvalidInput([
      { field, message: 'expected the id of an event of this stream, as in "12.345"' },
    ]);
  }
  const [seq, chunkId = '0'] = text.split('.');
  return { seq: Number(seq), chunkId: Number(chunkId) };
}

/** Writes a cursor as the `id` of a frame. */
export function toCursorText({ seq, chunkId }: StreamCursor): string {
  return `${seq}.${chunkId}`;
}
