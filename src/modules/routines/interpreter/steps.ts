import { proxyActivities } from '@temporalio/workflow';
import { defaultLimits } from '../../../domain/limits.ts';
import { callActivityAttempts, childStepAttempts, longRetryPauses } from '../../../contract/retry-limits.ts';
import type {
  BriefRoutineSteps,
  PureRoutineSteps,
  RoutineCallInput,
  RoutineSteps,
} from '../routine-contract.ts';
import {
  anyTimeout,
  briefMs,
  heartbeatTimeoutMs,
  toStepOptions,
  type WithOptions,
} from '../../../contract/step-options.ts';
import type { ChildCallSteps } from '../../../contract/turn-steps.ts';

/** The time between the end of a call and that of its activity, in milliseconds. */
const callReserveMs = 10_000;

/** The steps of a run of a routine. */
export function createRoutineSteps() {
  const options = { startToCloseTimeout: briefMs, retry: longRetryPauses };
  const brief = proxyActivities<BriefRoutineSteps>(options);
  const { callRoutineTool } = proxyActivities<RoutineSteps>(anyTimeout);
  // A proxy has no own fields, so it cannot be spread.
  const { readRoutine, storeRoutineSteps, readRoutineCall, reviewRoutine, emitRoutineEvent } = brief;
  const { readRoutineEvents, startChildRun, readChildRun, noteRoutineStatus, settleRoutine } = brief;
  return {
    ...{ readRoutine, storeRoutineSteps, readRoutineCall, reviewRoutine, emitRoutineEvent },
    ...{ readRoutineEvents, startChildRun, readChildRun, noteRoutineStatus, settleRoutine },
    callRoutineTool: (
      { summary, timeoutMs }: { summary: string; timeoutMs: number },
      input: RoutineCallInput,
    ) => {
      const timeLeftMs = timeoutMs + callReserveMs;
      const longestMs = timeLeftMs + defaultLimits.absenceTimeoutMs;
      const called = toStepOptions({ summary, timeLeftMs, longestMs }, callActivityAttempts);
      return callRoutineTool.executeWithOptions(called, [input]);
    },
  };
}

/** The steps before and after a call that starts a workflow or an agent. */
export function createChildCallSteps(): WithOptions<ChildCallSteps> {
  const { beginToolCall, endToolCall } = proxyActivities<ChildCallSteps>(anyTimeout);
  return {
    beginToolCall: (options, input) =>
      beginToolCall.executeWithOptions(toStepOptions(options, childStepAttempts), [input]),
    endToolCall: (options, input) =>
      endToolCall.executeWithOptions(toStepOptions(options, childStepAttempts), [input]),
  };
}

/**
 * The steps of a routine that have no effect. They end with their scope. They are not local activities: a cancellation that
 * meets the result of one breaks the workflow task (https://github.com/temporalio/sdk-rust/issues/705), and a replay resolves
 * several in one activation that had one each when they ran, and at other times, so that branches continue in another order.
 */
export function createPureRoutineSteps() {
  return proxyActivities<PureRoutineSteps>({
    startToCloseTimeout: 30_000,
    heartbeatTimeout: heartbeatTimeoutMs,
    cancellationType: 'TRY_CANCEL',
    retry: longRetryPauses,
  });
}
