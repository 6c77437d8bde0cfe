import { z } from 'zod';
import { conversationSchema } from '../../../domain/conversation.ts';
import { forkInputSchema } from './fork.ts';
import { turnSchema } from '../../../domain/turn.ts';
import { forkConversation } from './fork-conversation.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idempotencyHeaders, idParams, toReplayedHeaders } from '../../../platform/http/schemas.ts';

const route = routesOf<TurnDependencies>();

const forkRoute = route({
  method: 'POST',
  path: '/api/conversations/:id/fork',
  operationId: 'forkConversation',
  summary: 'Fork a conversation',
  description:
    'Makes a conversation that begins with a copy of this one, up to a turn, and runs the turn anew: with its message or ' +
    'another one. With `iteration` the steps of the turn up to that one are kept, with other results where `toolResults` ' +
    'names their calls, and the turn goes on from the next model call. Nothing of the copy runs again. Tool calls of the ' +
    'new turn get the recorded results of the turn that was forked: nothing outside is reached but the model. With ' +
    '`tools: live` it is a turn like any other. The answer to a repeated request has the header `Idempotent-Replayed: true`.',
  tag: 'conversations',
  right: 'turns.fork',
  params: idParams,
  headers: idempotencyHeaders,
  body: forkInputSchema,
  answers: { 201: z.object({ conversation: conversationSchema, turn: turnSchema.nullable() }) },
  errors: ['CONFLICT', 'TURN_RUNNING', 'IDEMPOTENCY_KEY_REUSED'],
  handler: async ({ params, headers, body, actor, dependencies, log }) => {
    const request = { parentId: params.id, input: body, idempotencyKey: headers['idempotency-key'] };
    const { accepted, conversation, turn } = await forkConversation(
      { ...dependencies, logger: log },
      actor,
      request,
    );
    return { status: 201, data: { conversation, turn }, headers: toReplayedHeaders(accepted) };
  },
});

/** The endpoints of forks. */
export const forkRoutes = [forkRoute];
