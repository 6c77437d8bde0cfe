import { z } from 'zod';
import { turnSchema } from '../../../domain/turn.ts';
import { steerMessage, withdrawMessage } from './queued-messages.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';

const route = routesOf<TurnDependencies>();
const tag = 'turns';

const steerMessageRoute = route({
  method: 'POST',
  path: '/api/messages/:id/steer',
  operationId: 'steerMessage',
  summary: 'Give a queued message to the running turn',
  description:
    'The turn takes the message before its next model call; with `now` the model call that runs ends for it. When it ends before that, the message starts the next turn. ' +
    'Answers with the turn that the message was to start.',
  tag,
  right: 'turns.control',
  params: idParams,
  body: z.strictObject({ now: z.boolean().optional() }).nullish(),
  answers: { 200: z.object({ turn: turnSchema }) },
  errors: ['MESSAGE_TAKEN'],
  handler: async ({ params, body, dependencies, actor, log }) => {
    const message = { messageId: params.id, now: body?.now };
    const turn = await steerMessage({ ...dependencies, logger: log }, actor, message);
    return { status: 200, data: { turn } };
  },
});

const withdrawMessageRoute = route({
  method: 'POST',
  path: '/api/messages/:id/withdraw',
  operationId: 'withdrawMessage',
  summary: 'Withdraw a queued message',
  description: 'The turn of the message is `cancelled`, and the model never sees the message.',
  tag,
  right: 'turns.control',
  params: idParams,
  body: z.strictObject({}).nullish(),
  answers: { 200: z.object({ turn: turnSchema }) },
  errors: ['MESSAGE_TAKEN'],
  handler: async ({ params, dependencies, actor }) => {
    const turn = await withdrawMessage(dependencies, actor, params.id);
    return { status: 200, data: { turn } };
  },
});

/** The endpoints of messages that wait. */
export const messageRoutes = [steerMessageRoute, withdrawMessageRoute];
