import {
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  sleep,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { toUnbegunEnding } from '../src/domain/lost-turn.ts';
import { toSettleReserveMs, toSoftDeadlineMs } from '../src/domain/limits.ts';
import type { AgentTurnInput, StepTime, TurnEnding } from '../src/contract/turn-steps.ts';

/** The share of the reserve for settling that a late first task may use up. */
const lateShare = 2 / 3;

/** The share of the reserve for settling in which a step ends and reports, after the turn's time is over. */
const reportShare = 1 / 3;

/** The shortest delay of a timer that means that no worker was there, in milliseconds. */
const leastAbsenceMs = 2_000;

/** The time of a turn, from its first step. */
export interface TurnClock {
  /** The time of its steps, in milliseconds. */
  timeMs: number;
  /** The end of that time, in epoch milliseconds. Time in which no worker ran the turn extends it. */
  deadlineAt: number;
  /** The latest end of that time: the end of the run less the reserve for settling, in epoch milliseconds. */
  hardDeadlineAt: number;
  /** The time in which a step ends itself and reports after `deadlineAt`, in milliseconds. */
  reportMs: number;
}

/** Starts the clock of a turn at its first task: time in which no worker was free is not the turn's. */
export function startClock(input: AgentTurnInput): TurnClock {
  const { turnTimeoutMs, absenceTimeoutMs } = input.limits;
  const timeMs = toTimeMs(input);
  const deadlineAt = Date.now() + timeMs;
  const runEndsAt = toRunStart(input) + (workflowInfo().runTimeoutMs ?? 0);
  const reserveMs = toSettleReserveMs(turnTimeoutMs);
  const longestAt = Math.min(runEndsAt - reserveMs, deadlineAt + absenceTimeoutMs);
  const hardDeadlineAt = Math.max(deadlineAt, Math.floor(longestAt));
  return { timeMs, deadlineAt, hardDeadlineAt, reportMs: reserveMs * reportShare };
}

/** Returns the time limits of a step. An attempt stops itself when the turn's time is over, and then has a moment to report. */
export function toStepLimits({ deadlineAt, hardDeadlineAt, reportMs }: TurnClock) {
  const left = (until: number) => until + reportMs - Date.now();
  return { timeLeftMs: left(deadlineAt), longestMs: left(hardDeadlineAt) };
}

/** Returns the end of the turn's time as the input of a step has it. */
export function toStepTime({ deadlineAt, hardDeadlineAt }: TurnClock) {
  return hardDeadlineAt > deadlineAt ? { deadlineAt, hardDeadlineAt } : { deadlineAt };
}

/** Runs a step, and takes over the end of the turn's time when the step reports that it was extended. */
export async function followClock<Result extends StepTime>(
  clock: TurnClock,
  step: Promise<Result>,
): Promise<Result> {
  const result = await step;
  clock.deadlineAt = Math.max(clock.deadlineAt, result.deadlineAt ?? 0);
  return result;
}

/**
 * Waits for a condition, and returns false when `waitMs` have passed before. The timer runs while no worker does; when the
 * workflow gets it late, the whole wait is no part of the turn's time, since the time at which the last worker left is unknown.
 */
export async function waitOnClock(clock: TurnClock, waitMs: number, isDone: () => boolean): Promise<boolean> {
  const from = Date.now();
  const done = await condition(isDone, waitMs);
  const waitedMs = Date.now() - from;
  if (waitedMs - waitMs > leastAbsenceMs)
    clock.deadlineAt = Math.max(
      clock.deadlineAt,
      Math.min(clock.hardDeadlineAt, clock.deadlineAt + waitedMs),
    );
  return done;
}

/** `runStartTime` is the time of the run's first task, not of its start. */
function toRunStart({ freshRunAt }: AgentTurnInput): number {
  return freshRunAt ?? workflowInfo().startTime.getTime();
}

/** The time of the turn's steps in this run, in milliseconds. */
function toTimeMs({ limits, paused, begun }: AgentTurnInput): number {
  return (paused ?? begun)?.timeLeftMs ?? toSoftDeadlineMs(limits.turnTimeoutMs);
}

/**
 * Gives a turn that has waited for a worker its whole time in a new run, since the timeout of a run counts from its
 * start. Returns the ending of a turn that has waited too long, and undefined for one that may begin.
 *
 * A new run waits behind all that is in the queue already. It may therefore wait for longer than the run before it: turns
 * that each took a new run after the same wait would pass each other for ever.
 */
export async function takeFreshRun(input: AgentTurnInput): Promise<TurnEnding | undefined> {
  const { turnTimeoutMs, absenceTimeoutMs } = input.limits;
  const reserveMs = toSettleReserveMs(turnTimeoutMs);
  const waitedMs = Date.now() - toRunStart(input);
  if (waitedMs <= reserveMs * lateShare) return undefined;
  const { startLimit } = input;
  if (startLimit && Date.now() > startLimit.until) return toUnbegunEnding(startLimit.timeoutMs);
  const next = { ...input, freshRunAt: Date.now() };
  const ownMs = toTimeMs(input) + reserveMs;
  const spareMs = (workflowInfo().runTimeoutMs ?? 0) - ownMs;
  if (waitedMs <= spareMs / 2) return undefined;
  const workflowRunTimeout = Math.round(ownMs + absenceTimeoutMs + 2 * waitedMs);
  return makeContinueAsNewFunc<Workflow>({ workflowRunTimeout })(next);
}

/**
 * Runs the steps of a turn and cancels them at its hard deadline. Before that each step ends itself when the turn's time is
 * over, since a step knows better than a timer how long no worker was there. The Web UI shows the timer by its summary.
 */
export function withinTime<Result>(
  { hardDeadlineAt }: TurnClock,
  run: () => Promise<Result>,
): Promise<Result> {
  const steps = new CancellationScope();
  return steps.run(async () => {
    const timer = new CancellationScope();
    timer
      .run(() =>
        sleep(hardDeadlineAt - Date.now(), { summary: 'the time of the turn, with the absence of workers' }),
      )
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
