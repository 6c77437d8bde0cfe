import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import { defaultLimits } from '../src/domain/limits.ts';
import type { Activities } from '../activities/index.ts';
import { toDocumentTaskQueue, toReadingTaskQueue } from './contract/document-steps.ts';
import { toReplayTaskQueue } from './contract/replay-steps.ts';
import type { SweepCounts, SweepInput } from './contract/sweep-steps.ts';
import type { RunRecordedTurnInput, RunTurnInput, RunTurnResult } from './contract/turn-steps.ts';
import { toWebhookTaskQueue } from './contract/webhook-steps.ts';
import {
  childStepAttempts,
  modelMaximumAttempts,
  retryPauses,
  toolMaximumAttempts,
  turnMaximumAttempts,
} from './contract/retry-limits.ts';

/** The steps of a turn that are activities of their own. */
type TurnStepName =
  | 'callModel'
  | 'summarizeContext'
  | 'executeToolCall'
  | 'beginToolCall'
  | 'endToolCall'
  | 'settleTurn'
  | 'reviewActions'
  | 'decideWaitingAction';

/** The signature of a step, the same for regular and local activities. */
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

const anyTimeout = { startToCloseTimeout: 10_000 };
const steps = proxyActivities<Activities>(anyTimeout) as unknown as TurnStepProxy;
const localSteps = proxyLocalActivities<Activities>(anyTimeout) as unknown as TurnStepProxy;

interface StepOptions {
  summary: string;
  /** The time limit of one attempt, in milliseconds. */
  timeLeftMs: number;
  /** The time limit of all attempts with the waits for a worker between them, in milliseconds. */
  longestMs: number;
}

const retry = retryPauses;

/** A worker counts as dead after this time without a heartbeat; steps send one every 1.3 s. */
const heartbeatTimeout = 4_000;

/** The same for documents, whose steps send one every 2 s: no user waits for them. */
const documentHeartbeatTimeout = 5_000;

/** The time limit of one attempt to settle a turn, in milliseconds. */
const briefMs = 10_000;

/** The shortest time limit of a step: with less it could not start, and its error would not say why. */
const leastTimeMs = 1_000;

/**
 * Creates the steps of one turn, each an activity. They are local ones for a turn of type `agentTurn` in `fast`
 * execution: only a release before `fastTurn` has started such turns, and they run to their end as they began.
 */
export function createTurnSteps({ local }: { local: boolean }) {
  return {
    callModel: (options: StepOptions, input: Parameters<Activities['callModel']>[0]) =>
      run('callModel', toOptions(options, modelMaximumAttempts), input),
    summarizeContext: (options: StepOptions, input: Parameters<Activities['summarizeContext']>[0]) =>
      run('summarizeContext', toOptions(options, modelMaximumAttempts), input),
    executeToolCall: (options: StepOptions, input: Parameters<Activities['executeToolCall']>[0]) =>
      run('executeToolCall', toOptions(options, toolMaximumAttempts), input),
    beginToolCall: (options: StepOptions, input: Parameters<Activities['beginToolCall']>[0]) =>
      run('beginToolCall', toOptions(options, childStepAttempts), input),
    endToolCall: (options: StepOptions, input: Parameters<Activities['endToolCall']>[0]) =>
      run('endToolCall', toOptions(options, childStepAttempts), input),
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
    const step = local ? localSteps[name] : steps[name];
    return step.executeWithOptions(local ? toLocal(options) : options, [input]);
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

/**
 * An attempt may take all the time that the turn has left: it limits its model or tool call by itself, and keeps the
 * result while the database is unreachable. A missing heartbeat means a dead worker. The wait for another worker counts for
 * the longest time only.
 */
function toOptions(
  { summary, timeLeftMs, longestMs }: StepOptions,
  maximumAttempts: number,
): ActivityOptions {
  return {
    summary,
    startToCloseTimeout: Math.max(leastTimeMs, timeLeftMs),
    scheduleToCloseTimeout: Math.max(leastTimeMs, timeLeftMs, longestMs),
    heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    retry: { ...retry, maximumAttempts },
  };
}

const { runTurn: runTurnStep } = proxyActivities<Activities>(anyTimeout) as unknown as RunTurnProxy;
const { runTurn: localRunTurn } = proxyLocalActivities<Activities>(anyTimeout) as unknown as RunTurnProxy;

/** Runs the rest of a turn in one activity. Its worker sends heartbeats, so that another one takes over when it dies. */
export function runTurn(options: StepOptions, input: RunTurnInput): Promise<RunTurnResult> {
  return runTurnStep.executeWithOptions(toOptions(options, turnMaximumAttempts), [input]);
}

/** Runs the beginning of a turn in the workflow task. A local activity has one attempt: the regular one goes on after it. */
export function runTurnLocally(options: StepOptions, input: RunTurnInput): Promise<RunTurnResult> {
  return localRunTurn.executeWithOptions(toLocal(toOptions(options, 1)), [input]);
}

interface RunRecordedTurnProxy {
  runRecordedTurn: {
    executeWithOptions: (options: ActivityOptions, input: [RunRecordedTurnInput]) => Promise<RunTurnResult>;
  };
}

const recorded = proxyActivities<Activities>(anyTimeout) as unknown as RunRecordedTurnProxy;

/** Runs a turn whose tool calls get recorded results. Another worker goes on after the last stored step. */
export function runRecordedTurn(options: StepOptions, input: RunRecordedTurnInput): Promise<RunTurnResult> {
  return recorded.runRecordedTurn.executeWithOptions(toOptions(options, turnMaximumAttempts), [input]);
}

/** The activities that accept and read turns for programs that start them through Temporal. */
export const { acceptTurn, readTurn } = proxyActivities<Activities>({ startToCloseTimeout: 10_000, retry });

/** The steps of one run of a schedule. */
export function createScheduleSteps() {
  return proxyActivities<Pick<Activities, 'beginScheduledRun' | 'endScheduledRun' | 'stopScheduledRun'>>({
    startToCloseTimeout: 10_000,
    retry: { ...retry, maximumInterval: 60_000 },
  });
}

/** Lists the sweeps of the release that runs the workflow task. */
export const { listSweeps } = proxyLocalActivities<Pick<Activities, 'listSweeps'>>({
  startToCloseTimeout: 10_000,
});

interface SweepProxy {
  runSweep: {
    executeWithOptions: (options: ActivityOptions, input: [SweepInput]) => Promise<SweepCounts>;
  };
}

const sweeps = proxyActivities<Activities>(anyTimeout) as unknown as SweepProxy;

/** Runs one sweep. It begins no rows in the second half of its time, and another one continues. */
export function runSweep(name: string): Promise<SweepCounts> {
  const options = { startToCloseTimeout: 60_000, heartbeatTimeout, summary: name };
  return sweeps.runSweep.executeWithOptions({ ...options, retry: { ...retry, maximumAttempts: 3 } }, [
    { sweep: name },
  ]);
}

/** Runs all sweeps in one activity, for workflows that began before `runSweep`. */
export const { sweepTurns } = proxyActivities<Activities>({
  startToCloseTimeout: 30_000,
  heartbeatTimeout,
  retry: { ...retry, maximumAttempts: 2 },
});

/** The activity that removes rows in batches; it begins none in the second half of its time. */
export const { removeRecords } = proxyActivities<Activities>({
  startToCloseTimeout: 30_000,
  heartbeatTimeout: 20_000,
  retry: { ...retry, maximumInterval: 60_000 },
});

/**
 * The steps of one document, on two task queues of their own. Finishing goes before embedding, which waits for a model:
 * the fairness key orders workspaces, not the steps of one workspace.
 */
export function createDocumentSteps() {
  const { taskQueue } = workflowInfo();
  const options = { taskQueue: toDocumentTaskQueue(taskQueue), heartbeatTimeout: documentHeartbeatTimeout };
  // The reader has a time limit of its own.
  const { readDocument } = proxyActivities<Activities>({
    ...options,
    taskQueue: toReadingTaskQueue(taskQueue),
    startToCloseTimeout: 5 * 60_000,
    retry: { ...retry, maximumAttempts: 4 },
  });
  // Retries go on for long when the model is busy or unreachable, since no user waits for the result.
  const { embedChunks } = proxyActivities<Activities>({
    ...options,
    startToCloseTimeout: 120_000,
    retry: { ...retry, maximumInterval: 60_000, maximumAttempts: 10 },
  });
  // Deleting the earlier chunks takes longer the more there are.
  const { finishDocument, failDocument } = proxyActivities<Activities>({
    ...options,
    priority: { priorityKey: 1 },
    startToCloseTimeout: 120_000,
    retry: { ...retry, maximumAttempts: 20 },
  });
  return { readDocument, embedChunks, finishDocument, failDocument };
}

/** The step of a delivery to a webhook, on a task queue of its own. It limits the time of its request by itself. */
export function createWebhookSteps() {
  const { taskQueue } = workflowInfo();
  return proxyActivities<Pick<Activities, 'attemptDelivery'>>({
    taskQueue: toWebhookTaskQueue(taskQueue),
    startToCloseTimeout: 60_000,
    retry: { ...retry, maximumInterval: 60_000 },
  });
}

/** The time limit of one chunk of a replay, in milliseconds; it ends by itself long before. */
const chunkMs = 60 * 60_000;

/** The steps of a replay, on a task queue of their own. They are tried again for as long as the replay is not cancelled. */
export function createReplaySteps() {
  const { taskQueue } = workflowInfo();
  const options = {
    taskQueue: toReplayTaskQueue(taskQueue),
    heartbeatTimeout: documentHeartbeatTimeout,
    retry: { ...retry, maximumInterval: 60_000 },
  };
  return proxyActivities<Pick<Activities, 'planReplay' | 'readReplay' | 'runReplayChunk' | 'settleReplay'>>({
    ...options,
    startToCloseTimeout: chunkMs,
  });
}

/** The names of the steps of a routine that take a moment. */
type RoutineStepName =
  | 'readRoutine'
  | 'storeRoutineSteps'
  | 'readRoutineCall'
  | 'reviewRoutine'
  | 'emitRoutineEvent'
  | 'readRoutineEvents'
  | 'startChildRun'
  | 'readChildRun'
  | 'noteRoutineStatus'
  | 'settleRoutine';

interface CallProxy {
  callRoutineTool: {
    executeWithOptions: (
      options: ActivityOptions,
      input: [Parameters<Activities['callRoutineTool']>[0]],
    ) => ReturnType<Activities['callRoutineTool']>;
  };
}

/** The time between the end of a call and that of its activity, in milliseconds. */
const callReserveMs = 10_000;

/** The steps of a run of a routine. */
export function createRoutineSteps() {
  const options = { startToCloseTimeout: briefMs, retry: { ...retry, maximumInterval: 60_000 } };
  const brief = proxyActivities<Pick<Activities, RoutineStepName>>(options);
  const { callRoutineTool } = proxyActivities<Activities>(anyTimeout) as unknown as CallProxy;
  // A proxy has no fields of its own that could be spread.
  const { readRoutine, storeRoutineSteps, readRoutineCall, reviewRoutine, emitRoutineEvent } = brief;
  const { readRoutineEvents, startChildRun, readChildRun, noteRoutineStatus, settleRoutine } = brief;
  return {
    ...{ readRoutine, storeRoutineSteps, readRoutineCall, reviewRoutine, emitRoutineEvent },
    ...{ readRoutineEvents, startChildRun, readChildRun, noteRoutineStatus, settleRoutine },
    callRoutineTool: (
      { summary, timeoutMs }: { summary: string; timeoutMs: number },
      input: Parameters<Activities['callRoutineTool']>[0],
    ) => {
      const timeLeftMs = timeoutMs + callReserveMs;
      const longestMs = timeLeftMs + defaultLimits.absenceTimeoutMs;
      const called = toOptions({ summary, timeLeftMs, longestMs }, toolMaximumAttempts);
      return callRoutineTool.executeWithOptions(called, [input]);
    },
  };
}

/** The steps of a routine that have no effect. They end with their scope. */
export function createPureRoutineSteps() {
  return proxyActivities<Pick<Activities, PureStepName>>({
    startToCloseTimeout: 30_000,
    heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    retry: { ...retry, maximumInterval: 60_000 },
  });
}

/** The same steps for runs that began when they were local activities. */
export function createFormerPureRoutineSteps() {
  return proxyLocalActivities<Pick<Activities, PureStepName>>({ startToCloseTimeout: 30_000 });
}

type PureStepName = 'evaluateExpressions' | 'validateValue';
