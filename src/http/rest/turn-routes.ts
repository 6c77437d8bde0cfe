import { z } from 'zod';
import { createConversationRepository } from '../../db/turns/conversation-repository.ts';
import { createTurnRepository } from '../../db/turns/turn-repository.ts';
import { turnDetailsSchema, turnInputSchema, turnSchema } from '../../domain/turn.ts';
import { cancelTurn } from '../../turns/cancel-turn.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';
import { submitTurn } from '../../turns/submit-turn.ts';
import { waitForTurn } from '../../turns/wait-for-turn.ts';

const tag = 'turns';

const submitHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters')
    .optional()
    .describe('A request with the same key and body leads to the same turn, however often it is sent'),
});

const createTurn = route({
  method: 'POST',
  path: '/api/conversations/:id/turns',
  operationId: 'createTurn',
  summary: 'Send a message to the agent',
  description:
    'Answers 202 once the turn is stored, and from then on it is not lost. With `wait=true` it answers 200 once ' +
    'the turn is over, or 202 when that takes longer than the turn may. A repeated request has the header ' +
    '`Idempotent-Replayed: true` in its answer.',
  tag,
  scope: 'conversations:write',
  params: idParams,
  query: z.strictObject({ wait: z.enum(['true', 'false']).default('false').describe('Wait for the answer') }),
  headers: submitHeaders,
  body: turnInputSchema,
  answers: { 200: z.object({ turn: turnDetailsSchema }), 202: z.object({ turn: turnSchema }) },
  errors: ['TURN_RUNNING', 'IDEMPOTENCY_KEY_REUSED', 'CONFLICT'],
  handler: async (context) => {
    const { params, headers, body, query } = context;
    const request = { conversationId: params.id, input: body, idempotencyKey: headers['idempotency-key'] };
    const { accepted, turn } = await submitTurn(context, request);
    const replayed: Record<string, string> = accepted ? {} : { 'idempotent-replayed': 'true' };
    if (query.wait === 'false') return { status: 202, data: { turn }, headers: replayed };
    const details = await waitForTurn(context, turn);
    if (details.outcome === null) return { status: 202, data: { turn: details }, headers: replayed };
    return { status: 200, data: { turn: details }, headers: replayed };
  },
});

const listTurns = route({
  method: 'GET',
  path: '/api/conversations/:id/turns',
  operationId: 'listTurns',
  summary: 'List the turns of a conversation, newest first',
  tag,
  scope: 'conversations:read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ turns: z.array(turnSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace(async (trx) => {
      await createConversationRepository(trx).getConversation(params.id);
      return createTurnRepository(trx).listTurns({ ...query, conversationId: params.id });
    });
    return { status: 200, data: { turns: items, nextCursor } };
  },
});

const getTurn = route({
  method: 'GET',
  path: '/api/turns/:id',
  operationId: 'getTurn',
  summary: 'Get a turn with its tool calls',
  tag,
  scope: 'conversations:read',
  params: idParams,
  answers: { 200: z.object({ turn: turnDetailsSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const turn = await inWorkspace((trx) => createTurnRepository(trx).getTurnDetails(params.id));
    return { status: 200, data: { turn } };
  },
});

const cancelTurnRoute = route({
  method: 'POST',
  path: '/api/turns/:id/cancel',
  operationId: 'cancelTurn',
  summary: 'Stop a turn',
  description:
    'Answers 202 while the turn still has to stop; its outcome comes with `turn.settled`. ' +
    'Answers 200 when it is over, be it because it was queued only or had ended before.',
  tag,
  scope: 'conversations:write',
  params: idParams,
  body: z.strictObject({}).nullish(),
  answers: { 200: z.object({ turn: turnSchema }), 202: z.object({ turn: turnSchema }) },
  handler: async (context) => {
    const { turn, running } = await cancelTurn(context, context.params.id);
    return running ? { status: 202, data: { turn } } : { status: 200, data: { turn } };
  },
});

/** What can be done with turns. */
export const turnRoutes = [createTurn, listTurns, getTurn, cancelTurnRoute];
