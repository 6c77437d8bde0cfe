import type { RepairDependencies } from '../step-dependencies.ts';
import { sweepUnsettledCalls } from '../tool/sweep-unsettled-calls.ts';
import { sweepChunks } from './sweep-chunks.ts';
import { sweepFreePlaces, sweepQueues } from './sweep-queues.ts';
import { sweepTurns } from './sweep-turns.ts';
import { sweepWaitingTurns } from './sweep-waiting-turns.ts';
import type { Sweep } from '../../src/platform/work/sweep-rows.ts';

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
