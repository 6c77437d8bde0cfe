import { toSubtask } from './tasks/subtask-rows.ts';
import { createSwarmMessageRepository } from './messages/swarm-message-repository.ts';
import { createSwarmRepository } from './swarm-repository.ts';
import { toSwarm, type SwarmRow } from './swarm-rows.ts';
import { createSwarmStateRepository } from './state/swarm-state-repository.ts';
import { createSwarmTurnRepository } from './turns/swarm-turn-repository.ts';
import { findStuck } from '../../platform/work/stuck-workflow-repository.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { Viewer } from '../../domain/actor.ts';
import type { SwarmDetails } from '../../domain/swarm.ts';
import type { SwarmRef } from './swarm-contract.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';

/**
 * Reads a swarm with its shared state.
 * @throws HoldfastError `NOT_FOUND`
 */
export function readSwarm(
  { database }: Pick<SwarmDependencies, 'database'>,
  { swarmId, ...viewer }: Viewer & Pick<SwarmRef, 'swarmId'>,
): Promise<SwarmDetails> {
  return database.transact(toRowScope(viewer), async (query) =>
    readDetails(query, await createSwarmRepository(query).getSwarm(swarmId)),
  );
}

/** Reads the shared state of a swarm whose row is known. */
export async function readDetails(query: Query, row: SwarmRow): Promise<SwarmDetails> {
  const state = createSwarmStateRepository(query);
  const [subtasks, blackboard, messages, pendingActions, stuck] = await Promise.all([
    state.listSubtasks(row.id),
    state.listItems(row.id),
    createSwarmMessageRepository(query).listMessages(row.id),
    createSwarmTurnRepository(query).listWaiting(row.id),
    findStuck(query, row.id),
  ]);
  return {
    ...toSwarm(row),
    state: {
      subTasks: subtasks.map(toSubtask),
      blackboard,
      messages: messages.map(({ id, topic, text, from, createdAt }) => ({
        id,
        topic,
        text,
        from,
        createdAt,
      })),
      subtaskLeaders: Object.fromEntries(subtasks.map(({ id, assignee }) => [id, assignee])),
      teamConfig: row.team_config,
    },
    pendingActions,
    ...(row.settled_at === null ? stuck : {}),
  };
}
