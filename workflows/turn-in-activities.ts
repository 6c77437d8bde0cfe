import { ActivityFailure, isCancellation, patched } from '@temporalio/workflow';
import { runToolCalls, TurnStopped, type TurnGround } from '../src/contract/turn-loop.ts';
import type { RunTurnInput, RunTurnResult, TurnEnding } from '../src/contract/turn-steps.ts';
import { runTurn, runTurnLocally } from './activities.ts';
import type { RunningTurn } from './running-turn.ts';
import { followClock, toStepLimits } from './turn-clock.ts';
import { createWorkflowGround, toStep } from './turn-in-workflow.ts';
import { runDecidedCalls } from './turn-waits.ts';

/**
 * Runs the loop of a turn inside one activity, or several with a wait between them. Workflow code runs the tool calls of an
 * answer that asks for a child workflow, since no activity can wait for it.
 */
export async function runInActivities(turn: RunningTurn): Promise<TurnEnding> {
  const ground = createWorkflowGround(turn);
  let part = await beginTurn(turn, ground);
  for (;;) {
    turn.details.partEnded(part);
    turn.progress.iteration = part.iteration;
    const { ending, rest, stopped } = part;
    if (ending) return ending;
    if (!rest) throw new TurnStopped(stopped ?? { outcome: 'failed' });
    const { iteration, toolCalls } = rest;
    const waiting = toolCalls ? await runToolCalls(ground, iteration, toolCalls) : (rest.waiting ?? []);
    await runDecidedCalls(turn, ground, { iteration, waiting });
    const isDone = toolCalls !== undefined || waiting.length > 0;
    part = await runPart(turn, isDone ? iteration + 1 : iteration);
  }
}

/** Runs the first part of this run of a turn. A turn that has run without a workflow has its first part behind it. */
async function beginTurn(turn: RunningTurn, ground: TurnGround): Promise<RunTurnResult> {
  const { paused, begun } = turn.input;
  if (paused) {
    await runDecidedCalls(turn, ground, paused);
    return runPart(turn, paused.iteration + 1);
  }
  if (begun) return { iteration: begun.rest.iteration, rest: begun.rest, lines: begun.lines ?? [] };
  return patched('no-local-part') ? runPart(turn, 1) : runLocalPart(turn);
}

function runPart(turn: RunningTurn, iteration: number): Promise<RunTurnResult> {
  return followClock(turn, runTurn(...toCall(turn, iteration)));
}

/** Runs the first part of a turn that the release before has begun. A regular activity continues when it fails. */
async function runLocalPart(turn: RunningTurn): Promise<RunTurnResult> {
  try {
    const [options, input] = toCall(turn, 1);
    return await runTurnLocally(options, { ...input, taskStartedAt: Date.now() });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return { iteration: 1, rest: { iteration: 1 }, lines: [] };
  }
}

/** Returns the options and the input of the activity that runs a turn from an iteration on. */
export function toCall(
  turn: RunningTurn,
  iteration: number,
): [{ summary: string; timeLeftMs: number; longestMs: number }, RunTurnInput] {
  const { input } = turn;
  const { model, limits } = input;
  const { activityTimeoutMs, maxIterations } = limits;
  return [
    { summary: `${model} from iteration ${iteration}`, ...toStepLimits(turn) },
    { ...toStep(turn, iteration), model, limits: { activityTimeoutMs, maxIterations } },
  ];
}
