import type { Knex } from 'knex';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import { createTurnListRepository, type TurnList } from '../../src/modules/turns/turn-list-repository.ts';
import { createTurnFigures } from '../../src/modules/turns/figures/turn-figures.ts';
import { turnGroups } from '../../src/domain/analytics.ts';
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
  ['the turns that are open', find({ outcome: 'open' })],
  ['the turns of an agent that are open', find({ outcome: 'open', agentId: runningConversation.agentId })],
  ['the turns that a person sees', find({ viewer: 'nobody' })],
  ['the turns of conversations with a tag', find({ tag: 'vip' })],
];

/** Searches of the turns of a workspace that find none, or few. */
export const searchesOfTurns: [string, (query: Query) => Promise<unknown>][] = [
  ['turns that called a tool', find({ tool: 'nothing' })],
  ['their next page', find({ tool: 'nothing', cursor: toRowId('turn', 40_000) })],
  ['turns of an hour that called a tool', find({ ...largeHour, tool: 'nothing' })],
  ['turns that failed and called a tool', find({ outcome: 'failed', tool: 'nothing' })],
  ['turns of a person that called a tool', find({ person: 'PERSON 7', tool: 'nothing' })],
  ['turns of conversations with a tag that called a tool', find({ tag: 'vip', tool: 'nothing' })],
  ['turns that a person sees and that called a tool', find({ viewer: 'nobody', tool: 'nothing' })],
  ['turns that cost much', find({ costFrom: 1_000_000 })],
  ['turns that cost little', find({ costTo: 0 })],
  ['turns that took long', find({ durationFrom: 1e12 })],
  ['turns with a text', find({ text: 'nowhere' })],
];

/** Figures of the turns of a time. */
export const figuresOfTurns: [string, (trx: Knex) => Promise<unknown>][] = [
  [
    'the figures of the turns of an hour',
    (trx) => createTurnFigures(trx).countTurns({ ...largeHour, groupBy: [...turnGroups], limit: 100 }),
  ],
  [
    'the figures of the turns of an agent in a time',
    (trx) =>
      createTurnFigures(trx).countTurns({
        ...{ ...largeHour, groupBy: ['day'], limit: 100, agentId: toRowId('agent', 4000) },
      }),
  ],
];

/** Lists of the conversations of a workspace. */
export const listsOfConversations: [string, (trx: Knex) => Promise<unknown>][] = [
  [
    'the conversation with an id of its caller’s',
    (trx) => createConversationRepository(trx).listConversations({ limit: 20, externalId: 'customer-42' }),
  ],
];
