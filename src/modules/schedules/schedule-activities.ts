import {
  beginScheduledRun,
  endScheduledRun,
  stopScheduledRun,
  type ScheduledRunDependencies,
} from './run-schedule.ts';
import type { ScheduledRunRef, ScheduleSteps } from './schedule-contract.ts';
import { toActivityFailure } from '../../platform/activity/failures.ts';

/** Creates the activities of runs of schedules. */
export function createScheduleActivities(dependencies: ScheduledRunDependencies): ScheduleSteps {
  const step =
    <Result>(work: (dependencies: ScheduledRunDependencies, ref: ScheduledRunRef) => Promise<Result>) =>
    async (ref: ScheduledRunRef): Promise<Result> => {
      try {
        return await work(dependencies, ref);
      } catch (error) {
        throw toActivityFailure(error);
      }
    };
  return {
    beginScheduledRun: step(beginScheduledRun),
    endScheduledRun: step(endScheduledRun),
    stopScheduledRun: step(stopScheduledRun),
  };
}
