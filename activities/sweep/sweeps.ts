import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepUnsettledCalls } from '../tool/sweep-unsettled-calls.ts';
import { sweepChunks } from '../turn/sweep-chunks.ts';
import { sweepFreePlaces, sweepQueues } from '../turn/sweep-queues.ts';
import { sweepTurns } from '../turn/sweep-turns.ts';
import { sweepWaitingTurns } from '../turn/sweep-waiting-turns.ts';
import type { SweepRun } from './sweep-rows.ts';

/** One kind of repair. It throws when its own queries fail, which stops no other sweep. */
export interface Sweep {
  /** Names the sweep in logs, in the health of a worker and in the Web UI. */
  name: string;
  sweep: (run: SweepRun) => Promise<SweepCounts>;
}

/** Creates the sweeps that repair turns and their tool calls. */
export function createTurnSweeps(dependencies: RepairDependencies): Sweep[] {
  return [
    { name: 'turns', sweep: (run) => sweepTurns(dependencies, run) },
    { name: 'waiting turns', sweep: (run) => sweepWaitingTurns(dependencies, run) },
    { name: 'queues', sweep: (run) => sweepQueues(dependencies, run) },
    { name: 'free places', sweep: (run) => sweepFreePlaces(dependencies, run) },
    { name: 'unsettled calls', sweep: (run) => sweepUnsettledCalls(dependencies, run) },
    { name: 'stream chunks', sweep: () => sweepChunks(dependencies) },
  ];
}
