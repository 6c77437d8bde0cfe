import { createTurnRepository } from '../../turns/turn-repository.ts';
import type { Query } from '../../../platform/database/statement.ts';
import { stopTurns } from '../../turns/cancel-turn.ts';
import type { SwarmDependencies } from '../swarm-dependencies.ts';

/** Notes that turns and all turns below them have to stop, in the transaction that decides it; returns those to notify. */
export async function requestStops(query: Query, turnIds: readonly string[]): Promise<string[]> {
  const turns = createTurnRepository(query);
  const stopping: string[] = [];
  for (const turnId of turnIds) {
    // A queued turn of the leader ends at once.
    const { stopping: own, running } = await turns.requestCancel(turnId);
    if (running) stopping.push(...own);
  }
  return stopping;
}

/** Sends stop requests to the workflows and the steps of turns. */
export function stopSwarmTurns(dependencies: SwarmDependencies, turnIds: string[]): Promise<void> {
  return stopTurns(dependencies, { stepsOf: turnIds, workflowsOf: turnIds });
}
