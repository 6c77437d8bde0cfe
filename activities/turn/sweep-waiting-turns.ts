import type { WaitingTurn } from '../../src/modules/actions/list-waiting-turns.ts';
import { toLostEnding } from '../../src/domain/lost-turn.ts';
import type { SweepCounts } from '../../src/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepRows, type SweepRun } from '../../src/platform/work/sweep-rows.ts';
import { maximumRestarts, restartTurn } from './restart-turn.ts';
import { createSettleTurn } from './settle-turn.ts';

/** The age from which a decision is reported to its turn again, in milliseconds: as long as a signal may take. */
const decisionGraceMs = 5_000;

/** More than one group: turns that should have continued come first, whether they were swept or not. */
const turnsPerTake = 500;

/** Repairs turns that wait for people: reports decisions that were not taken up, and starts workflows that were lost. */
export function sweepWaitingTurns(dependencies: RepairDependencies, run: SweepRun): Promise<SweepCounts> {
  const { sweep } = dependencies;
  return sweepRows(
    {
      take: () => sweep.takeWaiting({ graceMs: decisionGraceMs, limit: turnsPerTake }),
      toId: ({ id }) => id,
      sweepRow: (turn) => sweepWaiting(dependencies, turn),
      markSwept: sweep.markSwept,
    },
    run,
  );
}

async function sweepWaiting(dependencies: RepairDependencies, turn: WaitingTurn): Promise<void> {
  const { engine, pipelined } = dependencies;
  const { id: turnId, workspaceId, decidedId } = turn;
  const workflow = await engine.findTurnWorkflow(turnId);
  if (workflow === 'running') {
    if (turn.isCancelled) await engine.cancelTurn(turnId);
    else if (decidedId !== null) await engine.notifyDecision(turnId, decidedId);
  } else if (workflow === 'missing' && turn.restarts < maximumRestarts) {
    // Its steps find what is stored, and the turn waits again.
    await pipelined(workspaceId, ({ waiting }) => waiting.resume(turnId, turn.timeLeftMs));
    await restartTurn(dependencies, turn, true);
  } else {
    await createSettleTurn(dependencies)({ workspaceId, turnId, iterations: 0, ...toLostEnding('closed') });
  }
}
