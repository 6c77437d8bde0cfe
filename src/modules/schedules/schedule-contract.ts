import type { ScheduleRun } from './schedule.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';

/** The input of `scheduledRun`. */
export interface ScheduleRef {
  workspaceId: string;
  scheduleId: string;
}

/** The run of a schedule for one time. */
export interface ScheduledRunRef extends ScheduleRef {
  /** ISO 8601. */
  scheduledAt: string;
}

/** The work that a run has begun; `start` is the input of the workflow of its turn, null when that needs none. */
export interface BegunRun {
  start: AgentTurnInput | null;
}

/** The result of `scheduledRun`; null when the schedule was deleted. */
export type ScheduledRunResult = Pick<
  ScheduleRun,
  'status' | 'outcome' | 'turnId' | 'replayId' | 'routineRunId'
> | null;

/** The activities of one run of a schedule. */
export interface ScheduleSteps {
  /** Starts the work of the run once. Returns null when there is nothing to wait for. */
  beginScheduledRun: (run: ScheduledRunRef) => Promise<BegunRun | null>;
  /** Returns how the run has ended; null while its work still runs. */
  endScheduledRun: (run: ScheduledRunRef) => Promise<ScheduledRunResult>;
  /** Cancels the work of the run. */
  stopScheduledRun: (run: ScheduledRunRef) => Promise<void>;
}

/** The id of a schedule in Temporal, and the beginning of the ids of its workflows. */
export function toScheduleWorkflowId({ scheduleId }: Pick<ScheduleRef, 'scheduleId'>): string {
  return `schedule-${scheduleId}`;
}
