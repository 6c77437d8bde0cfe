import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { RemovalResult, RemovalSteps } from './removal-contract.ts';
import { longRetryPauses } from '../../contract/retry-limits.ts';
import type { TurnSweepInput } from '../../contract/turn-steps.ts';

/** The activity that removes rows in batches; it begins none in the second half of its time. */
const { removeRecords } = proxyActivities<RemovalSteps>({
  startToCloseTimeout: 30_000,
  heartbeatTimeout: 20_000,
  retry: longRetryPauses,
});

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
