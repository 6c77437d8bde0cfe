import { z } from 'zod';
import { followConversation, followTurn, type FollowDependencies } from './follow-turn.ts';
import { findTurn } from '../read-turn.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { listEventPage } from './list-event-page.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import {
  answerPage,
  answerStream,
  eventsHeaders,
  eventsQuery,
  parsePlace,
  wantsPage,
} from '../events/events-http-answer.ts';
import { eventPageSchema } from '../events/event-list-http-answer.ts';

/** Everything that the endpoints of events need from outside. */
export type EventDependencies = FollowDependencies &
  Pick<TurnDependencies, 'database'> &
  Pick<ServerDependencies, 'databaseState'>;

const route = routesOf<EventDependencies>();
const tag = 'events';

const description =
  'Answers with server-sent events: first the stored events, then new ones, in the same order for every ' +
  'reader. Each frame has an `id`; a client that sends it as `Last-Event-ID` continues after that frame. Besides ' +
  'stored events the stream has `text.delta` with a piece of text, and `stream.reset` when the pieces of an ' +
  'iteration are void; `message.created` has the final text. With `Accept: application/json` the answer is a ' +
  'page of stored events.';

const streamConversation = route({
  method: 'GET',
  path: '/api/conversations/:id/events',
  operationId: 'streamConversationEvents',
  summary: 'List the events of a conversation, as a stream or a page',
  description,
  tag,
  right: 'conversations.read',
  params: idParams,
  query: eventsQuery,
  headers: eventsHeaders,
  answers: { 200: eventPageSchema },
  errors: ['TOO_MANY_STREAMS'],
  streams: true,
  handler: async (context) => {
    const { params, headers, query, dependencies, actor } = context;
    const reading = { conversationId: params.id, after: parsePlace(context) };
    if (wantsPage(headers)) {
      const { limit } = query;
      return answerPage(await listEventPage(dependencies, actor, { ...reading, limit }));
    }
    const following = { ...reading, signal: context.openSignal() };
    return answerStream(await followConversation(dependencies, actor, following), context);
  },
});

const streamTurn = route({
  method: 'GET',
  path: '/api/turns/:id/events',
  operationId: 'streamTurnEvents',
  summary: 'List the events of a turn, as a stream or a page',
  description: `${description} The stream ends after \`turn.settled\`; a client that continues after that event gets 204.`,
  tag,
  right: 'conversations.read',
  params: idParams,
  query: eventsQuery,
  headers: eventsHeaders,
  answers: { 200: eventPageSchema, 204: z.undefined() },
  errors: ['TOO_MANY_STREAMS'],
  streams: true,
  handler: async (context) => {
    const { params, headers, query, dependencies, actor } = context;
    const turn = await findTurn(dependencies, actor, params.id);
    const after = parsePlace(context);
    if (wantsPage(headers)) {
      const page = { conversationId: turn.conversationId, turnId: turn.id, after, limit: query.limit };
      return answerPage(await listEventPage(dependencies, actor, page));
    }
    const following = { turn, after, signal: context.openSignal() };
    const deliveries = await followTurn(dependencies, actor, following);
    return deliveries ? answerStream(deliveries, context) : { status: 204, data: undefined };
  },
});

/** The endpoints by which clients read events. */
export const eventRoutes = [streamConversation, streamTurn];
