import { ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { SweepResult } from '../activities/turn/sweep-turns.ts';
import type { TurnSweepInput } from './contract/turn-steps.ts';
import { sweepTurns } from './activities.ts';

/**
 * Sweeps every `intervalMs` for `durationMs`, and ends with the result of its last sweep; a schedule starts the next
 * workflow. A workflow for each sweep would crowd turns out of the list in the Web UI. A sweep that fails is left to the
 * next one.
 */
export async function turnSweep({ intervalMs, durationMs }: TurnSweepInput): Promise<SweepResult> {
  const endsAt = workflowInfo().runStartTime.getTime() + durationMs;
  for (;;) {
    const result = await sweepOnce();
    if (Date.now() + intervalMs >= endsAt) return result;
    await sleep(intervalMs);
  }
}

async function sweepOnce(): Promise<SweepResult> {
  try {
    return await sweepTurns();
  } catch (error) {
    if (error instanceof ActivityFailure && !isCancellation(error))
      return { started: 0, settled: 0, failed: true };
    throw error;
  }
}
