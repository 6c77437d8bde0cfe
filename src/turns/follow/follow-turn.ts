import type { Turn } from '../../domain/turn.ts';
import type { TurnDependencies, TurnPrincipal } from '../turn-dependencies.ts';
import type { Delivery, KeepAlive, StreamCursor } from './delivery.ts';
import { findStreamEnd, toReachedCursor } from './find-stream-end.ts';
import { followEvents } from './follow-events.ts';

type FollowDependencies = Pick<TurnDependencies, 'database' | 'wakeups' | 'timings'>;

/** A reader that goes on after a place, until `signal` aborts. */
interface Reader {
  after: StreamCursor;
  signal: AbortSignal;
}

/**
 * Follows a conversation for as long as the reader stays.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function followConversation(
  dependencies: FollowDependencies,
  principal: TurnPrincipal,
  { conversationId, after, signal }: Reader & { conversationId: string },
): Promise<AsyncGenerator<Delivery | KeepAlive>> {
  const end = await findStreamEnd(dependencies, principal, { conversationId });
  const cursor = toReachedCursor(after, end);
  return followEvents(dependencies, principal, { conversationId, cursor, signal });
}

/**
 * Follows a turn until its last event. Null when the reader has that event already, so that it should not come back.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function followTurn(
  dependencies: FollowDependencies,
  principal: TurnPrincipal,
  { turn, after, signal }: Reader & { turn: Pick<Turn, 'id' | 'conversationId'> },
): Promise<AsyncGenerator<Delivery | KeepAlive> | null> {
  const source = { conversationId: turn.conversationId, turnId: turn.id };
  const end = await findStreamEnd(dependencies, principal, source);
  const cursor = toReachedCursor(after, end);
  if (end.settledSeq !== null && end.settledSeq <= cursor.seq) return null;
  return followEvents(dependencies, principal, { ...source, cursor, signal });
}
