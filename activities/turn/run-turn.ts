import { Context } from '@temporalio/activity';
import { HoldfastError } from '../../src/domain/errors.ts';
import { createTurnLines } from '../../src/contract/turn-lines.ts';
import { runTurnLoop, toTurnEnding, TurnStopped, type TurnGround } from '../../src/contract/turn-loop.ts';
import type { RunTurnInput, RunTurnResult } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { continuesElsewhere, toActivityFailure, toKnownError } from '../../src/platform/activity/failures.ts';
import { startAttemptClock } from '../../src/platform/activity/attempt-clock.ts';
import type { ContextCache } from '../model/context-cache.ts';
import { listenForSteering } from '../model/steering-notices.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { storeDeadline } from '../run-step.ts';
import type { TurnHold } from '../turn-hold.ts';
import { watchForStop } from '../../src/platform/activity/watch-for-stop.ts';
import { createKeptTurns, type KeptTurns } from './kept-turns.ts';
import { createProcessGround } from './process-ground.ts';
import { createTurnMemory, type TurnMemory } from './turn-memory.ts';

/** How long a turn runs inside its workflow task before it continues in a regular activity, in milliseconds. */
const workflowTaskMs = 3_000;

/**
 * How late in its workflow task a local activity may begin, in milliseconds. The SDK extends the task when the activity has run
 * for four fifths of the task's timeout of 5 s; for one that begins after the first fifth the task would time out before.
 */
const latestBeginMs = 700;

/** The most characters of the lines that one run returns; earlier lines are left out. */
const shownCharacters = 20_000;

interface RunTurnOptions {
  /** How long a local activity runs the turn, in milliseconds. */
  localMs?: number;
  /** The process that holds all turns that are run. @default each attempt takes its turn under a new name */
  heldBy?: string;
}

/**
 * Runs the steps of a turn from one iteration on in this process. Every step is stored before the next one begins, so
 * that another attempt continues after the last stored one. Returns the rest of a turn that asks for a child workflow,
 * that takes longer than `localMs` in a local activity, or whose worker shuts down.
 */
export function createRunTurn(
  dependencies: StepDependencies,
  contexts: ContextCache,
  { localMs = workflowTaskMs, heldBy }: RunTurnOptions = {},
) {
  const { wakeups, shutdown } = dependencies;
  const kept = createKeptTurns();

  return async (asked: RunTurnInput): Promise<RunTurnResult> => {
    const context = Context.current();
    const { isLocal } = context.info;
    const clock = startAttemptClock(context, asked);
    const input = { ...asked, deadlineAt: clock.deadlineAt };
    const progress = { iteration: input.iteration, step: 'model' };
    const details = () => ({ ...progress, ...clock.toDetails() });
    const hold: TurnHold = { id: heldBy ?? newId(), isTaken: heldBy !== undefined };
    const { signal, lose, close } = watchForStop(context, { ...input, wakeups, details, shutdown });
    const notices = listenForSteering(wakeups, input.turnId);
    const turnLines = createTurnLines(input.model);
    const begunAt = Date.now();
    const isLate = begunAt - (asked.taskStartedAt ?? begunAt) > latestBeginMs;
    const handOverAt = isLocal ? begunAt + (isLate ? 0 : localMs) : Infinity;
    try {
      const memory = await openMemory(dependencies, kept, { input, hold, info: context.info });
      const ground = createProcessGround(dependencies, {
        ...{ input, context, signal, lose, hold, contexts, notices, memory },
        watch: { ...turnLines, begun: (iteration, step) => Object.assign(progress, { iteration, step }) },
        isHandedOver: () => Date.now() >= handOverAt || shutdown.begun.aborted,
      });
      // The turn runs without it too: only readers of the deadline would see the earlier one.
      if (clock.isExtended) await storeDeadline(dependencies, input).catch(() => undefined);
      const end = await runToEnd(ground, { iteration: input.iteration, progress, signal });
      const calls = end.rest?.calls ?? end.rest?.toolCalls?.length ?? 0;
      if (end.rest && calls === 0) kept.keep(input.turnId, memory);
      // Temporal starts the next attempt elsewhere without a workflow task, which only a local activity needs anyway.
      if (end.rest && calls === 0 && !isLocal) throw toActivityFailure(createHandOver());
      const time = clock.isExtended ? { deadlineAt: clock.deadlineAt } : {};
      return { ...end, ...time, iteration: progress.iteration, lines: toShown(turnLines.lines, calls) };
    } finally {
      close();
      notices.close();
    }
  };
}

/** Only the first attempt after the local part begins where that part has ended. */
function openMemory(
  dependencies: StepDependencies,
  kept: KeptTurns,
  {
    input,
    hold,
    info,
  }: { input: RunTurnInput; hold: TurnHold; info: Pick<Context['info'], 'isLocal' | 'attempt'> },
): Promise<TurnMemory> | TurnMemory {
  if (info.isLocal || info.attempt > 1) return createTurnMemory(input.workspaceId);
  return kept.take(dependencies, input, hold);
}

interface Run {
  iteration: number;
  progress: { iteration: number };
  signal: AbortSignal;
}

async function runToEnd(
  ground: TurnGround,
  { iteration, progress, signal }: Run,
): Promise<Pick<RunTurnResult, 'ending' | 'rest' | 'stopped'>> {
  try {
    return await runTurnLoop(ground, iteration);
  } catch (error) {
    if (error instanceof TurnStopped) return { stopped: error.ending };
    if (continuesElsewhere(signal.reason)) return { rest: { iteration: progress.iteration } };
    return { stopped: toTurnEnding(toKnownError(error).toInfo()) };
  }
}

/** The error with which an activity of a turn ends when its worker shuts down, so that another attempt continues. */
export function createHandOver(): HoldfastError {
  const message = 'The worker shut down while the turn ran.';
  return new HoldfastError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1 });
}

/** Returns the newest lines that fit, and at least so many. */
export function toShown(lines: string[], least: number): string[] {
  let characters = 0;
  const tooOld = lines.findLastIndex((line, index) => {
    characters += line.length;
    return characters > shownCharacters && index < lines.length - least;
  });
  return lines.slice(tooOld + 1);
}
