import { z } from 'zod';
import type { ConversationEvent } from '../../../domain/event.ts';
import type { Delivery, KeepAlive, StreamCursor } from '../follow/delivery.ts';
import type { EventPage } from '../follow/list-event-page.ts';
import { logFailure, toEventFrames, type StreamContext } from '../../../platform/http/event-stream.ts';
import type { RouteContext } from '../../../platform/http/route.ts';
import { integerParameter } from '../../../platform/http/schemas.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import { cursorPattern, expectedCursor, parseCursor, toCursorText } from './event-cursor.ts';

/** The query parameters of the endpoints of events. */
export const eventsQuery = z.strictObject({
  after: z
    .string()
    .regex(cursorPattern, expectedCursor)
    .optional()
    .describe('Begins after this event. A `Last-Event-ID` header overrides it'),
  cursor: z.string().regex(cursorPattern, 'expected `nextCursor` of the page before').optional(),
  limit: integerParameter(1, 100, 100).describe('The most events on a JSON page'),
});

/** The headers that the endpoints of events read. */
export const eventsHeaders = z.looseObject({
  'last-event-id': z.string().optional().describe('The id of the last event that the client has'),
  accept: z.string().optional(),
});

type EventsContext = RouteContext<
  Pick<ServerDependencies, 'databaseState'>,
  unknown,
  typeof eventsQuery,
  typeof eventsHeaders,
  unknown
>;

/**
 * Reads the cursor after which a client continues.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function parsePlace({ headers, query }: Pick<EventsContext, 'headers' | 'query'>): StreamCursor {
  const lastEventId = headers['last-event-id'] || undefined;
  const field = lastEventId === undefined ? 'after' : 'Last-Event-ID';
  return parseCursor(lastEventId ?? query.after ?? query.cursor, field);
}

/** Whether a client accepts JSON, which means a page of stored events instead of a stream. */
export function wantsPage({ accept = '' }: EventsContext['headers']): boolean {
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}

/** Answers with a page of stored events. */
export function answerPage({ events, next }: EventPage): {
  status: 200;
  data: { events: ConversationEvent[]; nextCursor: string | null };
} {
  return { status: 200, data: { events, nextCursor: next && toCursorText(next) } };
}

/** Answers with a stream of server-sent events. */
export function answerStream(deliveries: AsyncIterable<Delivery | KeepAlive>, context: StreamContext) {
  return { status: 200 as const, frames: logFailure(toFrames(deliveries), context) };
}

/** Writes a stream as frames of server-sent events, each frame on demand. */
export function toFrames(deliveries: AsyncIterable<Delivery | KeepAlive>): AsyncGenerator<string> {
  return toEventFrames(deliveries, ({ cursor, event }: Delivery) => ({
    id: toCursorText(cursor),
    data: event,
  }));
}
