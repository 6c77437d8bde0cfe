import type {
  AgentTurnInput,
  RoutableToolCall,
  TurnEnding,
  WaitedFor,
  ExecuteToolCallResult,
} from '../src/contract/turn-steps.ts';
import { runTurnLoop, type TurnGround } from '../src/contract/turn-loop.ts';
import type { RunningTurn } from './running-turn.ts';
import { followClock, toStepLimits, toStepTime, withinTime } from './turn-clock.ts';
import { isStop } from './turn-ending.ts';
import { runDecidedCalls } from './turn-waits.ts';
import type { createTurnSteps } from './activities.ts';
import { runChildCall, type ChildCallRun } from './child-tool-call.ts';

/** Runs the loop of a turn as workflow code, with an activity for each step. */
export async function runInWorkflow(turn: RunningTurn): Promise<TurnEnding> {
  return withinTime(turn, async () => {
    const ground = createWorkflowGround(turn);
    let { paused: waited }: { paused?: WaitedFor | undefined } = turn.input;
    for (;;) {
      if (waited) await runDecidedCalls(turn, ground, waited);
      const end = await runTurnLoop(ground, waited ? waited.iteration + 1 : 1);
      if (end.ending) return end.ending;
      const { iteration, waiting } = end.rest;
      if (!waiting) throw new Error('workflow code runs every step of a turn');
      waited = { iteration, waiting };
    }
  });
}

/** Creates the ground of a turn whose steps are activities of its workflow. It leaves no step to others. */
export function createWorkflowGround(turn: RunningTurn): TurnGround {
  const { input, details, progress, steps } = turn;
  const { model, limits } = input;
  return {
    maxIterations: limits.maxIterations,
    callModel: (iteration, tools, options) =>
      followClock(
        turn,
        steps.callModel(
          { summary: `${model} iteration ${iteration}`, ...toStepLimits(turn) },
          { ...toStep(turn, iteration), timeoutMs: limits.activityTimeoutMs, tools, ...options },
        ),
      ),
    summarizeContext: (iteration) =>
      followClock(
        turn,
        steps.summarizeContext(
          { summary: `summary before iteration ${iteration}`, ...toStepLimits(turn) },
          { ...toStep(turn, iteration), timeoutMs: limits.activityTimeoutMs },
        ),
      ),
    runToolCall: (iteration, call) =>
      routeToolCall({
        steps,
        clock: turn,
        place: toPlace(input, iteration),
        call,
        changed: turn.changed,
        onChild: (workflowId: string) => details.childStarted(call, workflowId),
      }),
    leaves: () => false,
    isStop,
    watch: {
      begun: (iteration, step) => Object.assign(progress, { iteration, step }),
      answered: details.answered,
      summarized: details.summarized,
      toolEnded: (call: RoutableToolCall, ended) => details.toolEnded(call, ended),
    },
  };
}

/** Returns the ids and the end of time that every step of a turn gets. */
export function toStep(turn: RunningTurn, iteration: number) {
  return { ...toPlace(turn.input, iteration), ...toStepTime(turn) };
}

function toPlace({ workspaceId, conversationId, turnId }: AgentTurnInput, iteration: number) {
  return { workspaceId, conversationId, turnId, iteration };
}

/** The parts of a running tool call. */
interface ToolCallRun extends ChildCallRun {
  steps: ReturnType<typeof createTurnSteps>;
}

/**
 * Runs one tool call as a step or as a child workflow, by its type. A call of an unknown tool runs as a step, which
 * stores the error.
 */
function routeToolCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  return run.call.startsChild ? runChildCall(run) : runActivity(run);
}

function runActivity({ steps, clock, place, call }: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { index, timeoutMs, summary } = call;
  const input = { ...place, ...toStepTime(clock), index, timeoutMs };
  return followClock(clock, steps.executeToolCall({ summary, ...toStepLimits(clock) }, input));
}
