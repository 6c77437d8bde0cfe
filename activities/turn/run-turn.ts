import { Context } from '@temporalio/activity';
import { HoldfastError } from '../../src/domain/errors.ts';
import { createTurnLines } from '../../src/contract/turn-lines.ts';
import { runTurnLoop, toTurnEnding, TurnStopped, type TurnGround } from '../../src/contract/turn-loop.ts';
import type { RestOfTurn, RunTurnInput, RunTurnResult } from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { continuesElsewhere, toActivityFailure, toKnownError } from '../../src/platform/activity/failures.ts';
import { startAttemptClock } from '../../src/platform/activity/attempt-clock.ts';
import type { ContextCache } from '../model/context-cache.ts';
import { listenForSteering } from '../model/steering-notices.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { storeDeadline } from '../run-step.ts';
import type { TurnHold } from '../turn-hold.ts';
import { watchForStop } from '../../src/platform/activity/watch-for-stop.ts';
import { createProcessGround } from './process-ground.ts';
import { createTurnMemory } from './turn-memory.ts';

/** The most characters of the lines that one run returns; earlier lines are left out. */
const shownCharacters = 20_000;

/**
 * Creates the activity that runs the rest of a turn. When its worker shuts down it fails, so that Temporal starts the next
 * attempt in another worker, without a workflow task.
 */
export function createRunTurn(dependencies: StepDependencies, contexts: ContextCache) {
  const run = createTurnRun(dependencies, contexts);
  return async (input: RunTurnInput): Promise<RunTurnResult> => {
    const { iteration } = input;
    // A worker of the release before began the turn with a local activity, after which a regular one continues.
    if (Context.current().info.isLocal) return { iteration, rest: { iteration }, lines: [] };
    const result = await run(input);
    if (result.rest && countCalls(result.rest) === 0) throw toActivityFailure(createHandOver());
    return result;
  };
}

/**
 * Runs the steps of a turn from one iteration on in this process. Every step is stored before the next one begins, so
 * that another attempt continues after the last stored one. Returns the rest of a turn that asks for a child workflow or a
 * person, or whose worker shuts down.
 * @param heldBy the process that holds all turns that are run; by default each attempt takes its turn under a new name
 */
export function createTurnRun(dependencies: StepDependencies, contexts: ContextCache, heldBy?: string) {
  const { wakeups, shutdown } = dependencies;

  return async (asked: RunTurnInput): Promise<RunTurnResult> => {
    const context = Context.current();
    const clock = startAttemptClock(context, asked);
    const input = { ...asked, deadlineAt: clock.deadlineAt };
    const progress = { iteration: input.iteration, step: 'model' };
    const details = () => ({ ...progress, ...clock.toDetails() });
    const hold: TurnHold = { id: heldBy ?? newId(), isTaken: heldBy !== undefined };
    const { signal, lose, close } = watchForStop(context, { ...input, wakeups, details });
    const notices = listenForSteering(wakeups, input.turnId);
    const turnLines = createTurnLines(input.model);
    try {
      const ground = createProcessGround(dependencies, {
        ...{ input, context, signal, lose, hold, contexts, notices },
        memory: createTurnMemory(input.workspaceId),
        watch: { ...turnLines, begun: (iteration, step) => Object.assign(progress, { iteration, step }) },
        isHandedOver: () => shutdown.aborted,
      });
      // The turn runs without it too: only readers of the deadline would see the earlier one.
      if (clock.isExtended) await storeDeadline(dependencies, input).catch(() => undefined);
      const end = await runToEnd(ground, { iteration: input.iteration, progress, signal });
      const time = clock.isExtended ? { deadlineAt: clock.deadlineAt } : {};
      const lines = toShown(turnLines.lines, countCalls(end.rest));
      return { ...end, ...time, iteration: progress.iteration, lines };
    } finally {
      close();
      notices.close();
    }
  };
}

/** The number of tool calls at which the rest of a turn begins; 0 when it begins with a model call. */
function countCalls(rest: RestOfTurn | undefined): number {
  return rest?.calls ?? rest?.toolCalls?.length ?? 0;
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
