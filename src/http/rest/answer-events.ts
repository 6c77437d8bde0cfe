import { createInvalidInput } from '../../domain/errors.ts';
import { z } from 'zod';
import { createConversationRepository } from '../../db/turns/conversation-repository.ts';
import { createEventRepository } from '../../db/turns/event-repository.ts';
import type { ConversationEvent } from '../../domain/event.ts';
import type { RouteContext } from '../server/route.ts';
import {
  cursorPattern,
  parseCursor,
  toCursorText,
  type StreamCursor,
} from '../../turns/follow/stream-cursor.ts';
import { streamEvents } from '../../turns/follow/stream-events.ts';

/** What the endpoints of events take in their address. */
export const eventsQuery = z.strictObject({
  after: z
    .string()
    .regex(cursorPattern, 'expected the id of an event of this stream, as in "12.345"')
    .optional()
    .describe('Begins after this event; a `Last-Event-ID` header goes before it'),
  cursor: z.string().regex(cursorPattern, 'expected `nextCursor` of the page before').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('The most events of a JSON page'),
});

/** What the endpoints of events read of the headers. */
export const eventsHeaders = z.looseObject({
  'last-event-id': z.string().optional().describe('The id of the last event that the client has'),
  accept: z.string().optional(),
});

type EventsContext = RouteContext<unknown, typeof eventsQuery, typeof eventsHeaders, unknown>;

interface EventsSource {
  conversationId: string;
  turnId?: string;
}

type Answering = Omit<EventsContext, 'params' | 'body'>;

/** Answers with a stream, or with a page of stored events when JSON is asked for. */
export async function answerEvents(context: Answering, source: EventsSource) {
  const cursor = await findCursor(context, source);
  if (wantsJson(context.headers.accept)) {
    return { status: 200 as const, data: await listPage(context, source, cursor) };
  }
  const { workspaceId } = context.principal;
  const options = { ...source, workspaceId, cursor, signal: context.openSignal() };
  const frames = streamEvents(context.dependencies, options);
  return { status: 200 as const, frames: logFailure(frames, context.log) };
}

/** By now the status is sent, so a broken stream can only be cut; its client comes back and goes on. */
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

/** @throws HoldfastError `NOT_FOUND`, or `INVALID_INPUT` for a place that the log never reached */
async function findCursor(
  { headers, query, inWorkspace }: Pick<EventsContext, 'headers' | 'query' | 'inWorkspace'>,
  { conversationId }: EventsSource,
): Promise<StreamCursor> {
  const lastEventId = headers['last-event-id'] || undefined;
  const field = lastEventId === undefined ? 'after' : 'Last-Event-ID';
  const cursor = parseCursor(lastEventId ?? query.after ?? query.cursor, field);
  const { lastEventSeq } = await inWorkspace((trx) =>
    createConversationRepository(trx).getConversation(conversationId),
  );
  if (cursor.seq <= lastEventSeq) return cursor;
  const message = `expected the id of an event of this stream, which has ${lastEventSeq} so far`;
  throw createInvalidInput([{ field, message }]);
}

function wantsJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}

async function listPage(
  { query, inWorkspace }: Pick<EventsContext, 'query' | 'inWorkspace'>,
  source: EventsSource,
  { seq }: StreamCursor,
): Promise<{ events: ConversationEvent[]; nextCursor: string | null }> {
  const { limit } = query;
  const rows = await inWorkspace((trx) =>
    createEventRepository(trx).listEvents({ ...source, afterSeq: seq, limit: limit + 1 }),
  );
  const events = rows.slice(0, limit);
  const last = rows.length > limit ? events.at(-1) : undefined;
  return { events, nextCursor: last ? toCursorText({ seq: last.seq, chunkId: 0 }) : null };
}

/** Tells whether a client has all of a turn's stream, so that it should not come back. */
export async function hasWholeStream(context: Answering, source: Required<EventsSource>): Promise<boolean> {
  if (wantsJson(context.headers.accept)) return false;
  const { seq } = await findCursor(context, source);
  const settledSeq = await context.inWorkspace((trx) =>
    createEventRepository(trx).findSettledSeq(source.turnId),
  );
  return settledSeq !== null && settledSeq <= seq;
}
