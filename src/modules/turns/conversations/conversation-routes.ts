import { z } from 'zod';
import type { Database } from '../../../platform/database/connect-database.ts';
import { createConversationRepository } from './conversation-repository.ts';
import { createMessageRepository } from '../messages/message-repository.ts';
import {
  conversationChangeSchema,
  conversationInputSchema,
  conversationSchema,
  externalIdSchema,
  messageSchema,
  tagSchema,
} from '../../../domain/conversation.ts';
import { personNameSchema } from '../../../domain/person-name.ts';
import { toViewerKey } from '../../../domain/row-scope.ts';
import { turnFilterOutcomes } from '../turn-filter.ts';
import { changeConversation } from './change-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { openConversation } from './open-conversation.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { timesOf } from '../../../platform/http/report-query.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';

/** Everything that the endpoints of conversations need from outside. */
export interface ConversationDependencies extends Pick<TurnDependencies, 'notifier'> {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
}

const route = routesOf<ConversationDependencies>();
const tag = 'conversations';

const createConversation = route({
  method: 'POST',
  path: '/api/conversations',
  operationId: 'createConversation',
  summary: 'Create a conversation',
  description:
    'With an `externalId` it is created once: a later request with the same agent, id and person is answered 200 with that ' +
    'conversation, as it is now.',
  tag,
  right: 'conversations.write',
  body: conversationInputSchema,
  answers: {
    200: z.object({ conversation: conversationSchema }),
    201: z.object({ conversation: conversationSchema }),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  handler: async ({ body, actor, dependencies }) => {
    const { created, conversation } = await openConversation(dependencies, actor, body);
    return created ? { status: 201, data: { conversation } } : { status: 200, data: { conversation } };
  },
});

const listConversations = route({
  method: 'GET',
  path: '/api/conversations',
  operationId: 'listConversations',
  summary: 'List conversations, newest first',
  tag,
  right: 'conversations.read',
  query: pageQuery.extend({
    agentId: z.uuid().optional().describe('Only conversations with this agent'),
    tag: tagSchema.optional().describe('Only conversations with this tag'),
    person: personNameSchema.optional().describe('Only conversations that belong to this person'),
    parentId: z.uuid().optional().describe('Only forks of this conversation'),
    externalId: externalIdSchema.optional().describe('Only conversations with this id of yours'),
    outcome: z.enum(turnFilterOutcomes).optional().describe('Only those with a turn that ended so'),
    ...timesOf('conversations'),
  }),
  answers: { 200: z.object({ conversations: z.array(conversationSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, actor, inWorkspace }) => {
    const viewer = toViewerKey(actor);
    const { items, nextCursor } = await inWorkspace((trx) =>
      createConversationRepository(trx).listConversations({ ...query, viewer }),
    );
    return { status: 200, data: { conversations: items, nextCursor } };
  },
});

const getConversation = route({
  method: 'GET',
  path: '/api/conversations/:id',
  operationId: 'getConversation',
  summary: 'Get a conversation',
  tag,
  right: 'conversations.read',
  params: idParams,
  answers: { 200: z.object({ conversation: conversationSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const conversation = await inWorkspace((trx) =>
      createConversationRepository(trx).getConversation(params.id),
    );
    return { status: 200, data: { conversation } };
  },
});

const updateConversation = route({
  method: 'PATCH',
  path: '/api/conversations/:id',
  operationId: 'updateConversation',
  summary: 'Update a conversation',
  description:
    'Replaces the fields that the body has. Tags are at most 20, of 1 to 64 characters each. A key for one person shares ' +
    'only the conversations of this person.',
  tag,
  right: 'conversations.write',
  params: idParams,
  body: conversationChangeSchema,
  answers: { 200: z.object({ conversation: conversationSchema }) },
  handler: async ({ params, body, actor, dependencies }) => {
    const conversation = await changeConversation(dependencies, actor, { id: params.id, change: body });
    return { status: 200, data: { conversation } };
  },
});

const deleteOne = route({
  method: 'DELETE',
  path: '/api/conversations/:id',
  operationId: 'deleteConversation',
  summary: 'Delete a conversation',
  description:
    'Deletes its turns, messages, tool calls, events and files, and the conversations of agents that it called. It is ' +
    'not found any more at once, and its open streams end; the rows are removed within minutes. Answers 409 while a ' +
    'turn runs or waits in it: cancel the turn first.',
  tag,
  right: 'conversations.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['TURN_RUNNING'],
  handler: async ({ params, actor, dependencies }) => {
    await deleteConversation(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const listMessages = route({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  operationId: 'listMessages',
  summary: 'List the messages of a conversation, oldest first',
  tag,
  right: 'conversations.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ messages: z.array(messageSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace(async (trx) => {
      await createConversationRepository(trx).getConversation(params.id);
      return createMessageRepository(trx).listMessages({ ...query, conversationId: params.id });
    });
    return { status: 200, data: { messages: items, nextCursor } };
  },
});

/** The endpoints of conversations. */
export const conversationRoutes = [
  createConversation,
  listConversations,
  getConversation,
  updateConversation,
  deleteOne,
  listMessages,
];
