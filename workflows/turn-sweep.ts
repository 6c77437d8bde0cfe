import { sleep, workflowInfo } from '@temporalio/workflow';
import type { SweepResult } from '../activities/turn/sweep-turns.ts';
import type { TurnSweepInput } from './contract/turn-steps.ts';
import { sweepTurns } from './activities.ts';

/**
 * Sweeps every `intervalMs` for `durationMs`, and ends with the result of its last sweep; a schedule starts the next
 * workflow. A workflow for each sweep would crowd turns out of the list in the Web UI.
 */
export async function turnSweep({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResult> {
  const endsAt = workflowInfo().runStartTime.getTime() + durationMs;
  for (;;) {
    const result = await sweepTurns();
    if (Date.now() + intervalMs >= endsAt) return result;
    await sleep(intervalMs);
  }
}
