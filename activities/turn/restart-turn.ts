import type { RepairDependencies } from '../step-dependencies.ts';

/** How often a turn is started again after Temporal has lost its workflow. */
export const maximumRestarts = 2;

/** Starts a turn whose workflow is missing or ended before its first step. `wasLost` counts the start as a restart. */
export async function restartTurn(
  { pipelined, sweep, engine, logger }: RepairDependencies,
  turn: { id: string; workspaceId: string },
  wasLost: boolean,
): Promise<void> {
  const start = await pipelined(turn.workspaceId, ({ turns }) => turns.getStart(turn.id));
  await engine.restartTurn(start);
  // Only now: a start that failed is no restart.
  await sweep.markRestarted({ id: turn.id, wasLost });
  logger.warn(
    { turnId: turn.id, conversationId: start.conversationId },
    'started a turn that had no workflow',
  );
}
