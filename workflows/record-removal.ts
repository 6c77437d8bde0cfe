import { sleep, workflowInfo } from '@temporalio/workflow';
import type { RemovalResult } from './contract/retention-steps.ts';
import type { TurnSweepInput } from './contract/turn-steps.ts';
import { removeRecords } from './activities.ts';

/**
 * Removes rows that were deleted or are too old, every `intervalMs` for `durationMs`, and without a pause while there
 * are more. A schedule starts the next workflow.
 */
export async function recordRemoval({ intervalMs, durationMs }: TurnSweepInput): Promise<RemovalResult> {
  const endsAt = workflowInfo().runStartTime.getTime() + durationMs;
  for (;;) {
    const result = await removeRecords();
    if (Date.now() + intervalMs >= endsAt) return result;
    if (!result.more) await sleep(intervalMs);
  }
}
