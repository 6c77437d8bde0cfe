import { sweepTurns } from './activities.ts';

/** One round of the sweeper, started by a schedule. */
export async function turnSweep() {
  return sweepTurns();
}
