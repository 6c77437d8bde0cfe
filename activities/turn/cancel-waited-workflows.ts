import type { StepDependencies } from '../step-dependencies.ts';
import type { TurnRef } from './read-settled-turn.ts';

/**
 * Cancels the workflows that the open tool calls of a turn wait for; detached workflows continue. A cancellation that
 * fails is logged and does not keep the turn from being settled.
 */
export async function cancelWaitedWorkflows(
  { pipelined, engine, logger }: StepDependencies,
  { workspaceId, turnId }: TurnRef,
): Promise<void> {
  const waited = await pipelined(workspaceId, ({ childTurns }) => childTurns.listWaitedFor(turnId));
  const told = await Promise.allSettled(waited.map(engine.cancelWorkflow));
  for (const one of told) {
    if (one.status === 'rejected') {
      logger.warn({ err: one.reason as unknown }, 'a workflow was not told to stop');
    }
  }
}
