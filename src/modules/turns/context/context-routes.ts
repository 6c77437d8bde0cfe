import { z } from 'zod';
import { shownContextSchema } from '../../../domain/shown-context.ts';
import { listOfferedTools } from '../../../engines/tools/offered-tools.ts';
import { readContext } from './read-context.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';

const route = routesOf<Pick<TurnDependencies, 'database'>>();

const getContext = route({
  method: 'GET',
  path: '/api/conversations/:id/context',
  operationId: 'getConversationContext',
  summary: 'Get what the next model call of a conversation sees',
  description:
    'The instructions without canary tokens, the tools, and the messages with the turns that they are of; the summary in place ' +
    'of older turns; how the context was shortened, and how long it is beside the threshold of the agent. Without the scope `agents:read` the instructions are empty, and the ' +
    'tools have their names only.',
  tag: 'conversations',
  right: 'conversations.read',
  params: idParams,
  answers: { 200: z.object({ context: shownContextSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const request = { conversationId: params.id, listOffered: listOfferedTools };
    return { status: 200, data: { context: await readContext(dependencies, actor, request) } };
  },
});

/** The endpoint that shows the context of a conversation. */
export const contextRoutes = [getContext];
