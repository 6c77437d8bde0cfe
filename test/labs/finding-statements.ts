import type { Knex } from 'knex';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import { createTurnListRepository, type TurnList } from '../../src/modules/turns/turn-list-repository.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { largeHour, runningConversation, toRowId } from './large-tables.ts';

const find = (list: Partial<TurnList>) => (query: Query) =>
  createTurnListRepository(query).listTurns({ limit: 20, viewer: null, ...list });

/** Lists of the turns of a workspace. */
export const listsOfTurns: [string, (query: Query) => Promise<unknown>][] = [
  ['the turns of a workspace', find({})],
  ['their next page', find({ cursor: toRowId('turn', 40_000) })],
  ['the turns of an agent', find({ agentId: toRowId('agent', 4000) })],
  ['the turns of a conversation among all', find({ conversationId: runningConversation.conversationId })],
  ['the turns of a person', find({ person: 'PERSON 7' })],
  ['the turns of an hour', find(largeHour)],
  ['the turns that failed', find({ outcome: 'failed' })],
  ['the turns that are open', find({ outcome: 'open', agentId: runningConversation.agentId })],
  ['the turns that a person sees', find({ viewer: 'nobody' })],
  ['the turns of conversations with a tag', find({ tag: 'vip' })],
];

/** Lists of the conversations of a workspace. */
export const listsOfConversations: [string, (trx: Knex) => Promise<unknown>][] = [
  [
    'the conversation with an id of its caller’s',
    (trx) => createConversationRepository(trx).listConversations({ limit: 20, externalId: 'customer-42' }),
  ],
];
