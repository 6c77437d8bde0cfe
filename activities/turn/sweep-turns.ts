import type { SuspectTurn } from '../../src/modules/turns/turn-sweep-repository.ts';
import { toLostEnding, toUnbegunEnding } from '../../src/domain/lost-turn.ts';
import type { SweepCounts } from '../../src/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../src/platform/work/sweep-rows.ts';
import { maximumRestarts, restartTurn } from './restart-turn.ts';
import { createSettleTurn } from './settle-turn.ts';

/** The age from which a turn's start is checked, in milliseconds: longer than a start takes. */
const startGraceMs = 5_000;

/** Starts turns whose workflow was never started or was lost, and settles those whose workflow ended without an outcome. */
export async function sweepTurns(
  dependencies: RepairDependencies,
  run: SweepRun,
): Promise<SweepCounts & { started: number; settled: number }> {
  const { sweep } = dependencies;
  const ends = { left: 0, started: 0, settled: 0 };
  const counts = await sweepRows(
    {
      take: () => sweep.takeSuspects({ graceMs: startGraceMs, limit: sweepGroupSize }),
      toId: ({ id }) => id,
      sweepRow: async (turn) => {
        ends[await sweepTurn(dependencies, turn)] += 1;
      },
      markSwept: sweep.markSwept,
    },
    run,
  );
  return { ...counts, started: ends.started, settled: ends.settled };
}

async function sweepTurn(
  dependencies: RepairDependencies,
  turn: SuspectTurn,
): Promise<'left' | 'started' | 'settled'> {
  const { engine, sweep } = dependencies;
  const workflow = await engine.findTurnWorkflow(turn.id);
  if (workflow === 'running') {
    if (!turn.overdue) await sweep.markStartSeen(turn.id);
    return 'left';
  }
  const isUnbegun = workflow === 'unbegun' || (workflow === 'missing' && turn.restarts < maximumRestarts);
  if (isUnbegun && !turn.waitedTooLong) {
    await restartTurn(dependencies, turn, workflow === 'missing');
    return 'started';
  }
  const ending = isUnbegun
    ? toUnbegunEnding(turn.startTimeoutMs)
    : toLostEnding(turn.overdue || workflow === 'timed_out' ? 'timed_out' : 'closed');
  const place = { workspaceId: turn.workspaceId, turnId: turn.id };
  await createSettleTurn(dependencies)({ ...place, iterations: 0, ...ending });
  return 'settled';
}
