import type { Knex } from 'knex';
import { createSwarmLimitRepository } from '../../src/modules/credits/budgets/swarm-limit-repository.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { lockWithAbove } from '../../src/modules/swarms/lock-swarms.ts';
import { createSwarmMessageRepository } from '../../src/modules/swarms/messages/swarm-message-repository.ts';
import { createSwarmRepository } from '../../src/modules/swarms/swarm-repository.ts';
import { createSwarmStateRepository } from '../../src/modules/swarms/state/swarm-state-repository.ts';
import { createSwarmSweepRepository } from '../../src/modules/swarms/swarm-sweep-repository.ts';
import { createSwarmTurnRepository } from '../../src/modules/swarms/turns/swarm-turn-repository.ts';
import { runningConversation, toRowId } from './large-tables.ts';

const { turnId, conversationId } = runningConversation;

/** The swarm of the running turn. */
const swarmId = toRowId('swarm', 5_000);

/** Statements of swarms that run in their steps, and in the calls of their agents. */
export const stepsOfSwarms: [string, (query: Query) => Promise<unknown>][] = [
  ['the lock of a swarm', (query) => createSwarmRepository(query).lockSwarm(swarmId)],
  ['the open turns of a swarm', (query) => createSwarmTurnRepository(query).listOpen(swarmId)],
  ['the lock of a swarm and of those above', (query) => lockWithAbove(query, swarmId)],
  [
    'the turns that a step has stored',
    (query) => createSwarmTurnRepository(query).listStarts(swarmId, 'run:1'),
  ],
  ['the end of turns of a swarm', (query) => createSwarmTurnRepository(query).markEnded([turnId])],
  ['what turns of a swarm wait for', (query) => createSwarmTurnRepository(query).listWaiting(swarmId)],
  ['the subtasks of a swarm', (query) => createSwarmStateRepository(query).listSubtasks(swarmId)],
  ['the messages of a swarm', (query) => createSwarmMessageRepository(query).listMessages(swarmId)],
  ['what a swarm has used', (query) => createSwarmRepository(query).countUse([swarmId], { turns: 1 })],
  ['the swarms in a swarm', (query) => createSwarmRepository(query).listInside(swarmId)],
  ['a page of swarms', (query) => createSwarmRepository(query).listSwarms({ limit: 20 })],
  [
    'the swarm of a conversation',
    (query) => createSwarmTurnRepository(query).findSwarmId({ turnId, conversationId }),
  ],
  ['what limits of credits have left', (query) => createSwarmLimitRepository(query).findLeft([swarmId])],
];

/** Finds swarms without progress. */
export function takeSilentSwarms(system: Knex) {
  return createSwarmSweepRepository(system).take(100);
}
