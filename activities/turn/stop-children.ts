import type { TopTurns } from '../../src/db/turns/child-turn-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

/**
 * Stops turns that nobody waits for any more, with all below them: the wish is stored, and the workers that run their
 * steps are told, and their workflows.
 */
export async function stopTurns(
  dependencies: ActivityDependencies,
  workspaceId: string,
  top: TopTurns,
): Promise<void> {
  const { pipelined, notifier, engine } = dependencies;
  const stopping = await pipelined(workspaceId, ({ childTurns }) => childTurns.requestCancel(top));
  for (const id of stopping) notifier.stop(id);
  await tellAll(dependencies, stopping.map(engine.cancelTurn));
}

/** Asks the workflows to stop that the tool calls of a turn wait for; those that nobody waits for go on. */
export async function stopWorkflows(
  dependencies: ActivityDependencies,
  { workspaceId, turnId }: { workspaceId: string; turnId: string },
): Promise<void> {
  const { pipelined, engine } = dependencies;
  const waiting = await pipelined(workspaceId, ({ childTurns }) => childTurns.listWaitedFor(turnId));
  await tellAll(dependencies, waiting.map(engine.cancelWorkflow));
}

/** A turn is settled though a workflow could not be told, so that nobody waits for its end. */
async function tellAll({ logger }: ActivityDependencies, told: Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(told)) {
    if (one.status === 'rejected') {
      logger.warn({ err: one.reason as unknown }, 'a workflow was not told to stop');
    }
  }
}
