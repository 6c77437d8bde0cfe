import { toStuckError } from '../../src/domain/stuck-workflow.ts';
import type { Sweep } from '../../src/platform/work/sweep-rows.ts';
import type { WorkKind } from '../../src/platform/work/work-kind.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepUnsettledCalls } from '../tool/sweep-unsettled-calls.ts';
import { createSettleTurn } from './settle-turn.ts';
import { sweepFreePlaces, sweepQueues } from './sweep-queues.ts';
import { sweepTurns } from './sweep-turns.ts';
import { sweepWaitingTurns } from './sweep-waiting-turns.ts';
import type { SweepCounts } from '../../src/contract/sweep-steps.ts';

/** Creates the record of turns as stored work. */
export function createTurnWork(dependencies: RepairDependencies): WorkKind {
  const settleTurn = createSettleTurn(dependencies);
  return {
    kind: 'turn',
    workflows: ['agentTurn', 'fastTurn', 'recordedTurn'],
    sweep: { name: 'turns', sweep: (run) => sweepTurns(dependencies, run) },
    stuck: {
      ...{ table: 'turns', isStopped: 'cancel_requested_at IS NOT NULL' },
      store: ({ workspaceId, subjectId: turnId }, stuck) =>
        settleTurn({ workspaceId, turnId, iterations: 0, outcome: 'failed', error: toStuckError(stuck) }),
    },
  };
}

/** Creates the sweeps that repair what turns wait for, and their tool calls. */
export function createTurnSweeps(dependencies: RepairDependencies): Sweep[] {
  return [
    { name: 'waiting turns', sweep: (run) => sweepWaitingTurns(dependencies, run) },
    { name: 'queues', sweep: (run) => sweepQueues(dependencies, run) },
    { name: 'free places', sweep: (run) => sweepFreePlaces(dependencies, run) },
    { name: 'unsettled calls', sweep: (run) => sweepUnsettledCalls(dependencies, run) },
    { name: 'stream chunks', sweep: () => sweepChunks(dependencies) },
  ];
}

/** Deletes chunks of streams that no reader comes back for. */
async function sweepChunks({ sweep }: Pick<RepairDependencies, 'sweep'>): Promise<SweepCounts> {
  await sweep.deleteOldChunks();
  return { done: 0, failed: 0 };
}
