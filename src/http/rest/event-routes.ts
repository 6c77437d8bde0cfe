import { z } from 'zod';
import { createTurnRepository } from '../../db/turns/turn-repository.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { answerEvents, eventsHeaders, eventsQuery, hasWholeStream } from './answer-events.ts';
import { eventPageSchema } from './event-schema.ts';
import { route } from '../server/route.ts';
import { idParams } from '../server/schemas.ts';

const tag = 'events';

const description =
  'Server-sent events: what is stored already, then what comes, in one order for every reader. Each frame has ' +
  'the `id` that a client sends as `Last-Event-ID` to go on after it. Besides the stored events there are ' +
  '`text.delta` with a piece of text, and `stream.reset` when the pieces of an iteration are void; the text that ' +
  'counts is in `message.created`. With `Accept: application/json` a page of stored events.';

const streamConversation = route({
  method: 'GET',
  path: '/api/conversations/:id/events',
  operationId: 'streamConversationEvents',
  summary: 'Follow a conversation',
  description,
  tag,
  scope: 'conversations:read',
  params: idParams,
  query: eventsQuery,
  headers: eventsHeaders,
  answers: { 200: eventPageSchema },
  streams: true,
  handler: async (context) => answerEvents(context, { conversationId: context.params.id }),
});

const streamTurn = route({
  method: 'GET',
  path: '/api/turns/:id/events',
  operationId: 'streamTurnEvents',
  summary: 'Follow a turn until it is over',
  description: `${description} The stream ends after \`turn.settled\`; going on after that is answered with 204.`,
  tag,
  scope: 'conversations:read',
  params: idParams,
  query: eventsQuery,
  headers: eventsHeaders,
  answers: { 200: eventPageSchema, 204: z.undefined() },
  streams: true,
  handler: async (context) => {
    const { id } = context.params;
    const turn = await context.inWorkspace((trx) => createTurnRepository(trx).findTurn(id));
    if (!turn) throw new HoldfastError('NOT_FOUND', `There is no turn ${id}.`);
    const source = { conversationId: turn.conversationId, turnId: id };
    if (await hasWholeStream(context, source)) return { status: 204, data: undefined };
    return answerEvents(context, source);
  },
});

/** How clients follow what happens. */
export const eventRoutes = [streamConversation, streamTurn];
