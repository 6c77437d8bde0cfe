import type { Knex } from 'knex';
import { createStreamChunkWriter } from '../../src/modules/turns/events/stream-chunk-writer.ts';
import { createBatchReader } from '../../src/modules/turns/follow/batch-reader.ts';
import { toQuery } from '../../src/platform/database/statement.ts';
import { runningConversation } from './large-tables.ts';

const { conversationId, turnId } = runningConversation;
const source = { conversationId, cursor: { seq: 36, chunkId: 0 } };

/** Statements that a process runs for all streams together, many times a second. */
export const statementsOfStreams: [string, (system: Knex) => Promise<unknown>][] = [
  [
    'storing the pieces of answers',
    async (system) => {
      const write = createStreamChunkWriter({ storeChunks: toQuery(system) });
      const place = { conversationId, turnId, iteration: 2, attempt: 1 };
      await Promise.all([write(place, () => 'a'), write(place, () => 'b')]);
    },
  ],
  [
    'following conversations and turns together',
    async (system) => {
      const read = createBatchReader({ readStreams: toQuery(system) });
      await Promise.all([read(source), read({ ...source, turnId })]);
    },
  ],
];
