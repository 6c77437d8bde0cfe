import { createEventRepository, type EventLogEnd } from '../../db/turns/event-repository.ts';
import { conversationNotFound } from '../../db/turns/turn-rows.ts';
import type { TurnDependencies, TurnPrincipal } from '../turn-dependencies.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';

/**
 * Reads how far a stream reaches.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function findStreamEnd(
  { database }: Pick<TurnDependencies, 'database'>,
  { workspaceId }: TurnPrincipal,
  source: StreamSource,
): Promise<EventLogEnd> {
  const end = await database.pipelined(workspaceId, (query) =>
    createEventRepository(query).findLogEnd(source),
  );
  if (!end) throw conversationNotFound(source.conversationId);
  return end;
}

/**
 * Returns the place at which a reader goes on: after its cursor, or after the last event when the log has not reached
 * the cursor. A database that was restored has fewer events than its readers saw, and a browser's EventSource would
 * give up for good if it was refused.
 */
export function toReachedCursor(after: StreamCursor, { lastSeq }: EventLogEnd): StreamCursor {
  return after.seq <= lastSeq ? after : { seq: lastSeq, chunkId: 0 };
}
