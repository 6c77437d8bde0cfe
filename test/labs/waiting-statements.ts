import { createActionRepository } from '../../src/modules/actions/action-repository.ts';
import { createGrantedCalls } from '../../src/modules/actions/granted-calls.ts';
import { createGrantRepository } from '../../src/modules/actions/grant-repository.ts';
import { createWaitingTurnRepository } from '../../src/modules/actions/waiting-turn-repository.ts';
import { createSteeringRepository } from '../../src/modules/turns/messages/steering-repository.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { runningConversation, toRowId, waitingConversation } from './large-tables.ts';

const page = { limit: 20 };
const { turnId } = runningConversation;
const waiting = waitingConversation;
const askedCall = { toolCallId: runningConversation.toolCallId, toolHash: 'hash0' };
const remembered = { scope: 'agent', scopeId: waiting.agentId, toolHash: 'hash0' };

/** Statements that run when a turn begins to wait, when an actor decides, and when pending actions are listed. */
export const waitsOfTurns: [string, (query: Query) => Promise<unknown>][] = [
  [
    'asking for an approval',
    (query) =>
      createActionRepository(query).request({
        ...{
          ...askedCall,
          kind: 'question',
          question: 'Why?',
          arguments: {},
          hash: 'hash',
          timeoutMs: 1_000,
        },
      }),
  ],
  [
    'a rejection of the same call',
    (query) => createActionRepository(query).findRejected({ turnId, kind: 'approval', hash: 'hash' }),
  ],
  [
    'remembered approvals that hold for a call',
    (query) => createGrantRepository(query).listInForce(askedCall),
  ],
  ['an action that is decided', (query) => createActionRepository(query).lock(waiting.actionId)],
  ['what a turn waits for', (query) => createActionRepository(query).listPending(waiting.turnId)],
  [
    'what a turn waits for, with its times',
    (query) => createWaitingTurnRepository(query).listPending(waiting.turnId),
  ],
  [
    'the turns below that wait',
    (query) => createWaitingTurnRepository(query).listWaitingChildren(waiting.turnId),
  ],
  [
    'reminders and the end of actions',
    (query) => createWaitingTurnRepository(query).applyTime(waiting.turnId, { locksAll: true }),
  ],
  [
    'a message that steers a turn that waits',
    (query) => createSteeringRepository(query).isSteered(waiting.turnId),
  ],
  [
    'cancelling what a turn waits for',
    (query) => createSteeringRepository(query).cancelActions(waiting.turnId),
  ],
  ['the end of what a turn waits for', (query) => createActionRepository(query).cancelOfTurn(waiting.turnId)],
  [
    'locking what a remembered approval decides',
    (query) => createGrantedCalls(query).lockForRemembering({ actionId: waiting.actionId, scope: 'agent' }),
  ],
  ['what a remembered approval decides', (query) => createGrantedCalls(query).listWaiting(remembered)],
  ['all that waits', (query) => createActionRepository(query).list({ ...page, status: 'pending' })],
  [
    'the next page of all that waits',
    (query) =>
      createActionRepository(query).list({ ...page, status: 'pending', cursor: toRowId('action', 99_000) }),
  ],
  [
    'a page of all actions',
    (query) => createActionRepository(query).list({ ...page, cursor: toRowId('action', 99_000) }),
  ],
  [
    'the actions of a turn',
    (query) => createActionRepository(query).list({ ...page, status: 'pending', turnId: waiting.turnId }),
  ],
  [
    'what a conversation waits for',
    (query) =>
      createActionRepository(query).list({
        ...page,
        status: 'pending',
        conversationId: waiting.conversationId,
      }),
  ],
  ['remembered approvals', (query) => createGrantRepository(query).list({ ...page, active: true })],
];

/** Those of `waitsOfTurns` that read the rows of a workspace in the order of an index. */
export const listsOfWorkspace = new Set([
  'all that waits',
  'the next page of all that waits',
  'a page of all actions',
  'remembered approvals',
]);
