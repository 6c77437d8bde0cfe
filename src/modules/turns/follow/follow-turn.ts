import type { Turn } from '../../../domain/turn.ts';
import type { Wakeups } from '../../../platform/database/wakeups.ts';
import type { StreamTimings } from '../turn-dependencies.ts';
import { createWakeSignal } from './wake-signal.ts';
import type { Delivery, KeepAlive, StreamCursor, StreamSource } from './delivery.ts';
import { followEvents } from './follow-events.ts';
import { createLiveChunks } from './live-chunks.ts';
import type { BatchReader } from './batch-reader.ts';
import type { OpenStreams, StreamOwner } from './open-streams.ts';
import type { StreamDatabase } from './read-batch.ts';
import { readStart, type StreamStart } from './read-start.ts';

/** Everything that streams need from outside. */
export interface FollowDependencies {
  database: StreamDatabase;
  readBatch: BatchReader;
  wakeups: Pick<Wakeups, 'onEvents' | 'onChunks' | 'isListening'>;
  openStreams: OpenStreams;
  timings?: Partial<StreamTimings>;
}

/** A reader that continues after a position, until `signal` aborts. */
interface Reader {
  after: StreamCursor;
  signal: AbortSignal;
}

/**
 * Follows a conversation for as long as the reader stays and its API key is valid.
 * @throws HoldfastError `NOT_FOUND`, `TOO_MANY_STREAMS`
 */
export async function followConversation(
  dependencies: FollowDependencies,
  actor: StreamOwner,
  reader: Reader & { conversationId: string },
): Promise<AsyncGenerator<Delivery | KeepAlive>> {
  const { follow } = await openStream(dependencies, actor, reader);
  return follow();
}

/**
 * Follows a turn until its last event. Null when the reader has that event already, so that it should not come back.
 * @throws HoldfastError `NOT_FOUND`, `TOO_MANY_STREAMS`
 */
export async function followTurn(
  dependencies: FollowDependencies,
  actor: StreamOwner,
  { turn, ...reader }: Reader & { turn: Pick<Turn, 'id' | 'conversationId'> },
): Promise<AsyncGenerator<Delivery | KeepAlive> | null> {
  const source = { conversationId: turn.conversationId, turnId: turn.id };
  const { start, follow } = await openStream(dependencies, actor, { ...source, ...reader });
  const { end, cursor } = start;
  return end.settledSeq !== null && end.settledSeq <= cursor.seq ? null : follow();
}

/** Listens before it reads, so that no event falls between the two. What is opened is closed when `signal` aborts. */
async function openStream(
  dependencies: FollowDependencies,
  actor: StreamOwner,
  { signal: reader, after, ...source }: Reader & StreamSource,
): Promise<{ start: StreamStart; follow: () => AsyncGenerator<Delivery | KeepAlive> }> {
  const { database, wakeups, openStreams } = dependencies;
  const signal = openStreams.open(actor, reader);
  const wakeSignal = createWakeSignal(signal);
  const live = createLiveChunks();
  const undo = [
    wakeups.onEvents(source.conversationId, () => {
      live.mustRead();
      wakeSignal.notify();
    }),
    wakeups.onChunks(source.conversationId, (chunk) => {
      if (source.turnId !== undefined && chunk.turnId !== source.turnId) return;
      live.add(chunk);
      wakeSignal.notify();
    }),
  ];
  const stopListening = () => undo.forEach((stop) => stop());
  signal.addEventListener('abort', stopListening, { once: true });
  if (signal.aborted) stopListening();
  const start = await readStart(database, actor, { ...source, after });
  const following = { ...source, start, wakeSignal, live, signal };
  return { start, follow: () => followEvents(dependencies, actor, following) };
}
