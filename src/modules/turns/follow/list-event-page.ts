import { createEventRepository } from '../events/event-repository.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import type { Viewer } from '../../../domain/actor.ts';
import type { ConversationEvent } from '../../../domain/event.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import { conversationNotFound } from '../turn-rows.ts';

/** Stored events of a stream, and the position after them while there are more. */
export interface EventPage {
  events: ConversationEvent[];
  next: StreamCursor | null;
}

/**
 * Lists stored events after a position, without pieces of text.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function listEventPage(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  { after, limit, ...source }: StreamSource & { after: StreamCursor; limit: number },
): Promise<EventPage> {
  const [end, rows] = await database.pipelined(toRowScope(viewer), (query) => {
    const events = createEventRepository(query);
    return Promise.all([
      events.findLogEnd(source),
      events.listEvents({ ...source, afterSeq: after.seq, limit: limit + 1 }),
    ]);
  });
  if (!end) throw conversationNotFound(source.conversationId);
  const events = rows.slice(0, limit);
  const last = rows.length > limit ? events.at(-1) : undefined;
  return { events, next: last ? { seq: last.seq, chunkId: 0 } : null };
}
