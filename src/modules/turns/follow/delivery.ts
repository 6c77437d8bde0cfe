import type { ConversationEvent, StreamChunk } from '../../../domain/event.ts';

/** A reader's position in a stream: the number of the last event and the id of the last chunk that it was sent. */
export interface StreamCursor {
  /** 0 before the first event. */
  seq: number;
  /** 0 before the first chunk. */
  chunkId: number;
}

/** An event or chunk for a reader, and the position of a reader that has it. */
export interface Delivery {
  cursor: StreamCursor;
  event: ConversationEvent | StreamChunk;
}

/** Stands in a stream where nothing was sent for so long that a reader should see a sign of life. */
export type KeepAlive = 'keep-alive';

/** The conversation that is followed, or one turn of it. */
export interface StreamSource {
  conversationId: string;
  turnId?: string | undefined;
}
