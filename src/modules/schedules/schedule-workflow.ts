import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { longRetryPauses } from '../../contract/retry-limits.ts';
import type { ScheduledRunRef, ScheduledRunResult, ScheduleRef, ScheduleSteps } from './schedule-contract.ts';
import { briefMs } from '../../contract/step-options.ts';
import { runSubmittedTurn } from '../../../workflows/turn-submission.ts';

const firstPollMs = 500;
const longestPollMs = 30_000;

/** The steps of one run of a schedule. */
const { beginScheduledRun, endScheduledRun, stopScheduledRun } = proxyActivities<ScheduleSteps>({
  startToCloseTimeout: briefMs,
  retry: longRetryPauses,
});

/** Temporal gives each workflow of a schedule the time for which it runs, which is long ago in a backfill. */
const scheduledTimeKey = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/**
 * Starts what a schedule is to start at one time, and ends with it, so that the overlap policy of the schedule holds. It
 * starts nothing twice for the same time. When it is cancelled it cancels what it has started.
 */
export async function scheduledRun(input: ScheduleRef): Promise<ScheduledRunResult> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(scheduledTimeKey) ?? startTime).toISOString();
  const ref = { ...input, scheduledAt };
  try {
    return await run(ref);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopScheduledRun(ref));
    throw error;
  }
}

async function run(ref: ScheduledRunRef): Promise<ScheduledRunResult> {
  const begun = await beginScheduledRun(ref);
  if (!begun) return null;
  if (begun.start) await runSubmittedTurn(begun.start);
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const ended = await endScheduledRun(ref);
    if (ended) return ended;
    // The next run has the same search attributes, so it finds the same run of the schedule.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof scheduledRun>(ref);
    await sleep(pollMs);
  }
}
