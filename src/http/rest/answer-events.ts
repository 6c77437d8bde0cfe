import { z } from 'zod';
import type { ConversationEvent } from '../../domain/event.ts';
import type { Delivery, KeepAlive, StreamCursor } from '../../turns/follow/delivery.ts';
import type { EventPage } from '../../turns/follow/list-event-page.ts';
import type { RouteContext } from '../server/route.ts';
import { cursorPattern, expectedCursor, parseCursor, toCursorText } from './event-cursor.ts';
import { toFrames } from './event-frames.ts';

/** The query parameters of the endpoints of events. */
export const eventsQuery = z.strictObject({
  after: z
    .string()
    .regex(cursorPattern, expectedCursor)
    .optional()
    .describe('Begins after this event. A `Last-Event-ID` header overrides it'),
  cursor: z.string().regex(cursorPattern, 'expected `nextCursor` of the page before').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('The most events on a JSON page'),
});

/** The headers that the endpoints of events read. */
export const eventsHeaders = z.looseObject({
  'last-event-id': z.string().optional().describe('The id of the last event that the client has'),
  accept: z.string().optional(),
});

type EventsContext = RouteContext<unknown, typeof eventsQuery, typeof eventsHeaders, unknown>;

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
export function answerStream(deliveries: AsyncIterable<Delivery | KeepAlive>, log: EventsContext['log']) {
  return { status: 200 as const, frames: logFailure(toFrames(deliveries), log) };
}

/** Logs why a stream broke. Its status was sent already, so the response is cut, and the client reconnects. */
async function* logFailure(
  frames: AsyncGenerator<string>,
  log: EventsContext['log'],
): AsyncGenerator<string> {
  try {
    yield* frames;
  } catch (error) {
    log.warn({ err: error }, 'a stream of events broke');
    throw error;
  }
}
