import type { ConversationEvent, StreamChunk } from '../../domain/event.ts';
import { toCursorText, type StreamCursor } from '../../turns/follow/stream-cursor.ts';

/** One thing to send, and the place of a reader who has it. */
export interface Delivery {
  cursor: StreamCursor;
  event: ConversationEvent | StreamChunk;
}

/** The first frame of a stream: how long a client waits before it connects again, in milliseconds. */
export const retryFrame = 'retry: 1000\n\n';

/** A comment, which clients ignore and which keeps the connection from looking dead. */
export const keepAliveFrame = ': keep-alive\n\n';

/** A frame as the HTML standard defines it; JSON has no line breaks of its own. */
export function toFrame({ cursor, event }: Delivery): string {
  return `id: ${toCursorText(cursor)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
