import { sleep, workflowInfo } from '@temporalio/workflow';
import type { SweepResult } from '../activities/turn/sweep-turns.ts';
import type { TurnSweepInput } from './contract/turn-steps.ts';
import { sweepTurns } from './activities.ts';

/**
 * Sweeps again and again for a while: one workflow in the list of the Web UI where one for each sweep would hide the
 * turns. A schedule starts the next one. Ends with what its last sweep did.
 */
export async function turnSweep({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResult> {
  const endsAt = workflowInfo().runStartTime.getTime() + durationMs;
  for (;;) {
    const result = await sweepTurns();
    if (Date.now() + intervalMs >= endsAt) return result;
    await sleep(intervalMs);
  }
}
