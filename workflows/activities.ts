import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AgentTurnInput } from '../src/domain/turn-steps.ts';
import { activityGraceMs, modelMaximumAttempts, toolMaximumAttempts } from '../src/domain/retry.ts';

type Limits = AgentTurnInput['limits'];
type TurnStepName = 'callModel' | 'executeToolCall' | 'settleTurn';

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
    settleTurn: (input: Parameters<Activities['settleTurn']>[0]) =>
      run('settleTurn', { startToCloseTimeout: 10_000, retry, summary: input.outcome }, input),
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
