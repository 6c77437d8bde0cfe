import {
  CancellationScope,
  continueAsNew,
  patched,
  sleep,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { toUnbegunEnding } from '../src/domain/lost-turn.ts';
import { toSettleReserveMs, toSoftDeadlineMs } from '../src/domain/limits.ts';
import type { AgentTurnInput, TurnEnding } from './contract/turn-steps.ts';

/** The share of the reserve for settling that a late first task may use up. */
const lateShare = 2 / 3;

/** The time of a turn, from its first step. */
export interface TurnClock {
  /** The time of its steps, in milliseconds. */
  timeMs: number;
  /** The end of that time, in epoch milliseconds. */
  deadlineAt: number;
}

/** Starts the clock of a turn at its first task: time in which no worker was free is not the turn's. */
export function startClock({ limits, paused }: AgentTurnInput): TurnClock {
  const timeMs = paused?.timeLeftMs ?? toSoftDeadlineMs(limits.turnTimeoutMs);
  return { timeMs, deadlineAt: Date.now() + timeMs };
}

/**
 * Gives a turn that has waited for a worker its whole time in a new run, since the timeout of a run counts from its
 * start. Returns the ending of a turn that has waited too long, and undefined for one that may begin.
 */
export async function takeFreshRun(input: AgentTurnInput): Promise<TurnEnding | undefined> {
  // `runStartTime` is the time of the run's first task, not of its start.
  const startedAt = input.freshRunAt ?? workflowInfo().startTime.getTime();
  const waitedMs = Date.now() - startedAt;
  if (waitedMs <= toSettleReserveMs(input.limits.turnTimeoutMs) * lateShare) return undefined;
  if (!patched('fresh-run-after-wait')) return undefined;
  const { startLimit } = input;
  if (startLimit && Date.now() > startLimit.until) return toUnbegunEnding(startLimit.timeoutMs);
  return continueAsNew<Workflow>({ ...input, freshRunAt: Date.now() });
}

/** Runs the steps of a turn and cancels them when its time is over. The Web UI shows the timer by its summary. */
export function withinTime<Result>(timeMs: number, run: () => Promise<Result>): Promise<Result> {
  const steps = new CancellationScope();
  return steps.run(async () => {
    const timer = new CancellationScope();
    timer
      .run(() => sleep(timeMs, { summary: 'the time of the turn' }))
      .then(
        () => steps.cancel(),
        () => undefined,
      );
    try {
      return await run();
    } finally {
      timer.cancel();
    }
  });
}
