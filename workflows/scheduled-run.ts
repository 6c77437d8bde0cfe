import { defineSearchAttributeKey } from '@temporalio/common';
import { CancellationScope, continueAsNew, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import { createScheduleSteps } from './activities.ts';
import type { ScheduledRunPlace, ScheduledRunResult, SchedulePlace } from './contract/schedule-steps.ts';
import { runSubmittedTurn } from './turn-submission.ts';

const firstPollMs = 500;
const longestPollMs = 30_000;

/** Temporal gives each workflow of a schedule the time for which it runs, which is long ago in a backfill. */
const scheduledTimeKey = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/**
 * Starts what a schedule is to start at one time, and ends with it, so that the overlap policy of the schedule holds. It
 * starts nothing twice for the same time. When it is cancelled it cancels what it has started.
 */
export async function scheduledRun(input: SchedulePlace): Promise<ScheduledRunResult> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(scheduledTimeKey) ?? startTime).toISOString();
  const place = { ...input, scheduledAt };
  const { stopScheduledRun } = createScheduleSteps();
  try {
    return await run(place);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopScheduledRun(place));
    throw error;
  }
}

async function run(place: ScheduledRunPlace): Promise<ScheduledRunResult> {
  const { beginScheduledRun, endScheduledRun } = createScheduleSteps();
  const begun = await beginScheduledRun(place);
  if (!begun) return null;
  if (begun.start) await runSubmittedTurn(begun.start);
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const ended = await endScheduledRun(place);
    if (ended) return ended;
    // The next run has the same search attributes, so it finds the same run of the schedule.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof scheduledRun>(place);
    await sleep(pollMs);
  }
}
