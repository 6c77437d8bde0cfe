import type { Knex } from 'knex';
import { createEventRepository } from '../../src/modules/turns/events/event-repository.ts';
import { createStreamChunkRepository } from '../../src/modules/turns/events/stream-chunk-repository.ts';
import { createStreamChunkWriter } from '../../src/modules/turns/events/stream-chunk-writer.ts';
import { createBatchReader } from '../../src/modules/turns/follow/batch-reader.ts';
import { toQuery, type Query } from '../../src/platform/database/statement.ts';
import { runningConversation } from './large-tables.ts';

const { conversationId, turnId } = runningConversation;
const source = { conversationId, cursor: { seq: 36, chunkId: 0 } };

const follow = { conversationId, afterSeq: 36, afterChunkId: 0, mostEvents: 200, mostChunks: 200 };
const logPart = { conversationId, afterSeq: 36, limit: 100 };

/** Statements of a reader that begins, or reads a page of events. */
export const readsOfStreams: [string, (query: Query) => Promise<unknown>][] = [
  ['the end of a log', (query) => createEventRepository(query).findLogEnd({ conversationId, turnId })],
  ['the events of a turn', (query) => createEventRepository(query).listEvents({ ...logPart, turnId })],
  ['the events of a conversation', (query) => createEventRepository(query).listEvents(logPart)],
  ['following a conversation', (query) => createStreamChunkRepository(query).readStream(follow)],
  ['following a turn', (query) => createStreamChunkRepository(query).readStream({ ...follow, turnId })],
  [
    'the attempts that a returning reader has seen',
    (query) =>
      createStreamChunkRepository(query).listNewestAttempts(conversationId, { seq: 100, chunkId: 100 }),
  ],
];

/** Statements that a process runs for all streams together, many times a second. */
export const statementsOfStreams: [string, (system: Knex) => Promise<unknown>][] = [
  [
    'storing the pieces of answers',
    async (system) => {
      const write = createStreamChunkWriter({ storeUnsynced: toQuery(system) });
      const place = { conversationId, turnId, iteration: 2, attempt: 1, heldBy: null };
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
