import { defineStatement } from '../../../platform/database/statement.ts';
import type { Transactions } from '../../../platform/database/transactions.ts';

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

const appendChunk = defineStatement<NewChunk, unknown>(
  'append_stream_chunk',
  `INSERT INTO stream_chunks (conversation_id, turn_id, iteration, attempt, text)
   VALUES (:conversationId, :turnId, :iteration, :attempt, :text)`,
);

/** Writes stream chunks in separate transactions: readers see them while the model still answers. */
export function createStreamChunkWriter({ pipelined }: Pick<Transactions, 'pipelined'>): StreamChunkWriter {
  return async (workspaceId, chunk) => {
    await pipelined(workspaceId, (query) => query(appendChunk, chunk));
  };
}
