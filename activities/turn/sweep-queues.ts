import type { StalledQueue } from '../../src/modules/turns/turn-sweep-repository.ts';
import { startWaitingTurns } from '../../src/modules/turns/start-waiting-turns.ts';
import { startStoredTurn } from '../../src/modules/turns/start-stored-turn.ts';
import type { SweepCounts } from '../../src/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepRows, type SweepRun } from '../../src/platform/work/sweep-rows.ts';

const queuesPerTake = 500;

/** Starts the next turn of conversations in which turns wait though none runs. */
export function sweepQueues(dependencies: RepairDependencies, run: SweepRun): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => dependencies.sweep.listStalledQueues(queuesPerTake),
      toId: ({ conversationId }) => conversationId,
      sweepRow: (queue) => sweepQueue(dependencies, queue),
    },
    run,
  );
}

/** Starts turns of workspaces that limit their running turns and have a free place. */
export function sweepFreePlaces(
  { sweep, turnDependencies }: RepairDependencies,
  run: SweepRun,
): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => sweep.listFreePlaces(queuesPerTake),
      toId: ({ workspaceId }) => workspaceId,
      sweepRow: (place) => startWaitingTurns(turnDependencies, place),
    },
    run,
  );
}

/** A turn that is promoted and not started is swept as a turn without a workflow. */
async function sweepQueue(
  { pipelined, turnDependencies }: RepairDependencies,
  { workspaceId, conversationId }: StalledQueue,
): Promise<void> {
  const next = await pipelined(workspaceId, ({ answers }) => answers.promoteNextTurn(conversationId));
  if (next) await startStoredTurn(turnDependencies, next);
}
