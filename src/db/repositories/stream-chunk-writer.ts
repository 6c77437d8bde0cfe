import type { Database } from '../connect.ts';

/** A piece of a model's text, or with `text` null the mark that all before it in this iteration is void. */
export interface NewChunk {
  conversationId: string;
  turnId: string;
  iteration: number;
  attempt: number;
  text: string | null;
}

/** Stores a chunk for readers of the stream. */
export type StreamChunkWriter = (workspaceId: string, chunk: NewChunk) => Promise<void>;

/** Writes stream chunks in transactions of their own: readers see them while the model still answers. */
export function createStreamChunkWriter(database: Database): StreamChunkWriter {
  return async (workspaceId, chunk) => {
    await database.inWorkspace(workspaceId, (trx) =>
      trx('stream_chunks').insert({
        conversation_id: chunk.conversationId,
        turn_id: chunk.turnId,
        iteration: chunk.iteration,
        attempt: chunk.attempt,
        text: chunk.text,
      }),
    );
  };
}
