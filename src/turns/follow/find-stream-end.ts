import { createEventRepository, type EventLogEnd } from '../../db/turns/event-repository.ts';
import { conversationNotFound } from '../../db/turns/turn-rows.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { TurnDependencies, TurnPrincipal } from '../turn-dependencies.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';

/** The place after which a reader goes on, and the name of the field in which it said so, for errors. */
export interface ReaderPlace {
  cursor: StreamCursor;
  field: string;
}

/**
 * Reads how far a stream reaches, and checks that the reader's place is in it.
 * @throws HoldfastError `NOT_FOUND`, or `INVALID_INPUT` for a place that the stream has not reached
 */
export async function findStreamEnd(
  { database }: Pick<TurnDependencies, 'database'>,
  { workspaceId }: TurnPrincipal,
  { after, ...source }: StreamSource & { after: ReaderPlace },
): Promise<EventLogEnd> {
  const end = await database.pipelined(workspaceId, (query) =>
    createEventRepository(query).findLogEnd(source),
  );
  return checkPlace(end, { ...source, after });
}

/**
 * Checks that the reader's place is in the stream that ends at `end`, and returns `end`.
 * @throws HoldfastError `NOT_FOUND` without an end, or `INVALID_INPUT` for a place that the stream has not reached
 */
export function checkPlace(
  end: EventLogEnd | null,
  { after, conversationId }: StreamSource & { after: ReaderPlace },
): EventLogEnd {
  if (!end) throw conversationNotFound(conversationId);
  if (after.cursor.seq <= end.lastSeq) return end;
  const message = `expected the id of an event of this stream, which has ${end.lastSeq} so far`;
  throw createInvalidInput([{ field: after.field, message }]);
}
