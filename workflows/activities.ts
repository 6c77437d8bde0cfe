import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { toDocumentTaskQueue } from './contract/document-steps.ts';
import type { AgentTurnInput } from './contract/turn-steps.ts';
import {
  activityGraceMs,
  childStepAttempts,
  modelMaximumAttempts,
  toolMaximumAttempts,
} from './contract/retry-limits.ts';

type Limits = AgentTurnInput['limits'];
type TurnStepName = 'callModel' | 'executeToolCall' | 'beginToolCall' | 'endToolCall' | 'settleTurn';

/** A step under either proxy; the options differ, the call does not. */
type TurnStepProxy = {
  [Name in TurnStepName]: {
    executeWithOptions: (
      options: ActivityOptions,
      input: [Parameters<Activities[Name]>[0]],
    ) => ReturnType<Activities[Name]>;
  };
};

const anyTimeout = { startToCloseTimeout: 10_000 };
const steps = proxyActivities<Activities>(anyTimeout) as unknown as TurnStepProxy;
const localSteps = proxyLocalActivities<Activities>(anyTimeout) as unknown as TurnStepProxy;

interface StepOptions {
  summary: string;
  /** What the turn has left, in milliseconds. */
  timeLeftMs: number;
  timeoutMs: number;
}

const retry = { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 };

/** A dead worker is noticed after this long without a heartbeat; steps send one every 2 s. */
const heartbeatTimeout = 5_000;

/** How long a step may take that waits for nobody outside, in milliseconds. */
const briefMs = 10_000;

/** The shortest time that a step is given: a step that cannot even begin could not say why. */
const leastTimeMs = 1_000;

/** The steps of one turn, either as regular or as local activities: the same calls, another proxy. */
export function createTurnSteps(execution: AgentTurnInput['execution'], limits: Limits) {
  return {
    callModel: (options: Omit<StepOptions, 'timeoutMs'>, input: Parameters<Activities['callModel']>[0]) =>
      run(
        'callModel',
        toOptions({ ...options, timeoutMs: limits.activityTimeoutMs }, modelMaximumAttempts),
        input,
      ),
    executeToolCall: (options: StepOptions, input: Parameters<Activities['executeToolCall']>[0]) =>
      run('executeToolCall', toOptions(options, toolMaximumAttempts), input),
    beginToolCall: (
      options: Omit<StepOptions, 'timeoutMs'>,
      input: Parameters<Activities['beginToolCall']>[0],
    ) => run('beginToolCall', toOptions({ ...options, timeoutMs: briefMs }, childStepAttempts), input),
    endToolCall: (options: Omit<StepOptions, 'timeoutMs'>, input: Parameters<Activities['endToolCall']>[0]) =>
      run(
        'endToolCall',
        toOptions({ ...options, timeoutMs: input.waitMs + briefMs }, childStepAttempts),
        input,
      ),
    settleTurn: (input: Parameters<Activities['settleTurn']>[0]) =>
      run('settleTurn', { startToCloseTimeout: briefMs, retry, summary: input.outcome }, input),
  };

  function run<Name extends TurnStepName>(
    name: Name,
    options: ActivityOptions,
    input: Parameters<Activities[Name]>[0],
  ): ReturnType<Activities[Name]> {
    const step = execution === 'fast' ? localSteps[name] : steps[name];
    return step.executeWithOptions(execution === 'fast' ? toLocal(options) : options, [input]);
  }
}

/** Local activities run inside the workflow task: no heartbeats, and nobody to wait for after a cancellation. */
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

function toOptions(
  { summary, timeLeftMs, timeoutMs }: StepOptions,
  maximumAttempts: number,
): ActivityOptions {
  return {
    summary,
    startToCloseTimeout: timeoutMs + activityGraceMs,
    scheduleToCloseTimeout: Math.max(leastTimeMs, timeLeftMs),
    heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    retry: { ...retry, maximumAttempts },
  };
}

/** Accepts and reads turns for programs that start them through Temporal. */
export const { acceptTurn, readTurn } = proxyActivities<Activities>({ startToCloseTimeout: 10_000, retry });

/** One sweep has to end before the next one is due. */
export const { sweepTurns } = proxyActivities<Activities>({
  startToCloseTimeout: 30_000,
  retry: { ...retry, maximumAttempts: 2 },
});

/** The steps of one document, on a task queue of their own. */
export function createDocumentSteps() {
  const options = { taskQueue: toDocumentTaskQueue(workflowInfo().taskQueue), heartbeatTimeout };
  // Reading waits for its place beside other documents, and is bounded by its own limits.
  const { readDocument } = proxyActivities<Activities>({
    ...options,
    startToCloseTimeout: 15 * 60_000,
    retry: { ...retry, maximumAttempts: 4 },
  });
  // A model that is busy or away is waited for: nobody waits for a document as for an answer.
  const { embedChunks } = proxyActivities<Activities>({
    ...options,
    startToCloseTimeout: 120_000,
    retry: { ...retry, maximumInterval: 60_000, maximumAttempts: 10 },
  });
  // Deleting the chunks of before takes as long as there are many of them.
  const { finishDocument, failDocument } = proxyActivities<Activities>({
    ...options,
    startToCloseTimeout: 120_000,
    retry: { ...retry, maximumAttempts: 20 },
  });
  return { readDocument, embedChunks, finishDocument, failDocument };
}
