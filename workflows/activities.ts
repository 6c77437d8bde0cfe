import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  callActivityAttempts,
  childStepAttempts,
  modelMaximumAttempts,
  retryPauses as retry,
  turnMaximumAttempts,
} from '../src/contract/retry-limits.ts';
import {
  anyTimeout,
  briefMs,
  heartbeatTimeoutMs,
  toStepOptions,
  type StepOptions,
} from '../src/contract/step-options.ts';
import type { SweepCounts, SweepSteps } from '../src/contract/sweep-steps.ts';
import type { RunRecordedTurnInput, RunTurnInput, RunTurnResult } from '../src/contract/turn-steps.ts';

/** The steps of a turn that run as separate activities. */
type TurnStepName =
  | 'callModel'
  | 'summarizeContext'
  | 'executeToolCall'
  | 'beginToolCall'
  | 'endToolCall'
  | 'settleTurn'
  | 'reviewActions'
  | 'decideWaitingAction';

/** The signature of a step. */
type TurnStepProxy = {
  [Name in TurnStepName]: {
    executeWithOptions: (
      options: ActivityOptions,
      input: [Parameters<Activities[Name]>[0]],
    ) => ReturnType<Activities[Name]>;
  };
};

interface RunTurnProxy {
  runTurn: {
    executeWithOptions: (options: ActivityOptions, input: [RunTurnInput]) => Promise<RunTurnResult>;
  };
}

const steps = proxyActivities<Activities>(anyTimeout) as unknown as TurnStepProxy;

/** Creates the steps of a turn, each an activity. */
export function createTurnSteps() {
  return {
    callModel: (options: StepOptions, input: Parameters<Activities['callModel']>[0]) =>
      run('callModel', toStepOptions(options, modelMaximumAttempts), input),
    summarizeContext: (options: StepOptions, input: Parameters<Activities['summarizeContext']>[0]) =>
      run('summarizeContext', toStepOptions(options, modelMaximumAttempts), input),
    executeToolCall: (options: StepOptions, input: Parameters<Activities['executeToolCall']>[0]) =>
      run('executeToolCall', toStepOptions(options, callActivityAttempts), input),
    beginToolCall: (options: StepOptions, input: Parameters<Activities['beginToolCall']>[0]) =>
      run('beginToolCall', toStepOptions(options, childStepAttempts), input),
    endToolCall: (options: StepOptions, input: Parameters<Activities['endToolCall']>[0]) =>
      run('endToolCall', toStepOptions(options, childStepAttempts), input),
    settleTurn: (input: Parameters<Activities['settleTurn']>[0]) =>
      run('settleTurn', { startToCloseTimeout: briefMs, retry, summary: input.outcome }, input),
    reviewActions: (input: Parameters<Activities['reviewActions']>[0]) =>
      run('reviewActions', { startToCloseTimeout: briefMs, retry, summary: 'what people decided' }, input),
    decideWaitingAction: (input: Parameters<Activities['decideWaitingAction']>[0]) =>
      run(
        'decideWaitingAction',
        { startToCloseTimeout: briefMs, retry, summary: `${input.decision.decision} ${input.actionId}` },
        input,
      ),
  };

  function run<Name extends TurnStepName>(
    name: Name,
    options: ActivityOptions,
    input: Parameters<Activities[Name]>[0],
  ): ReturnType<Activities[Name]> {
    return steps[name].executeWithOptions(options, [input]);
  }
}

/** Local activities run inside the workflow task, without heartbeats, so a cancellation does not wait for them. */
function toLocal({
  summary,
  startToCloseTimeout,
  scheduleToCloseTimeout,
  retry,
}: ActivityOptions): LocalActivityOptions {
  return {
    summary,
    startToCloseTimeout,
    scheduleToCloseTimeout,
    retry,
    cancellationType: 'TRY_CANCEL',
  } as LocalActivityOptions;
}

const { runTurn: runTurnStep } = proxyActivities<Activities>(anyTimeout) as unknown as RunTurnProxy;
const { runTurn: localRunTurn } = proxyLocalActivities<Activities>(anyTimeout) as unknown as RunTurnProxy;

/** Runs the rest of a turn in one activity. Its worker sends heartbeats, so that another one takes over when it dies. */
export function runTurn(options: StepOptions, input: RunTurnInput): Promise<RunTurnResult> {
  return runTurnStep.executeWithOptions(toStepOptions(options, turnMaximumAttempts), [input]);
}

/** Runs the beginning of a turn that the release before has begun in its workflow task. */
export function runTurnLocally(options: StepOptions, input: RunTurnInput): Promise<RunTurnResult> {
  return localRunTurn.executeWithOptions(toLocal(toStepOptions(options, 1)), [input]);
}

interface RunRecordedTurnProxy {
  runRecordedTurn: {
    executeWithOptions: (options: ActivityOptions, input: [RunRecordedTurnInput]) => Promise<RunTurnResult>;
  };
}

const recorded = proxyActivities<Activities>(anyTimeout) as unknown as RunRecordedTurnProxy;

/** Runs a turn whose tool calls get recorded results. Another worker continues after the last stored step. */
export function runRecordedTurn(options: StepOptions, input: RunRecordedTurnInput): Promise<RunTurnResult> {
  return recorded.runRecordedTurn.executeWithOptions(toStepOptions(options, turnMaximumAttempts), [input]);
}

/** The activities that accept and read turns for programs that start them through Temporal. */
export const { acceptTurn, readTurn } = proxyActivities<Activities>({ startToCloseTimeout: 10_000, retry });

/** Lists the sweeps of the release that runs the workflow task. */
export const { listSweeps } = proxyLocalActivities<SweepSteps>({
  startToCloseTimeout: 10_000,
});

const { runSweep: sweep } = proxyActivities<SweepSteps>(anyTimeout);

/** Runs one sweep. It begins no rows in the second half of its time, and another one continues. */
export function runSweep(name: string): Promise<SweepCounts> {
  const options = { startToCloseTimeout: 60_000, heartbeatTimeout: heartbeatTimeoutMs, summary: name };
  return sweep.executeWithOptions({ ...options, retry: { ...retry, maximumAttempts: 3 } }, [{ sweep: name }]);
}
