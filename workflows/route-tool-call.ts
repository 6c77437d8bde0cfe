import type { ExecuteToolCallResult } from '../src/contract/turn-steps.ts';
import type { createTurnSteps } from './activities.ts';
import { runChildCall, type ChildCallRun } from './child-tool-call.ts';
import { followClock, toStepLimits, toStepTime } from './turn-clock.ts';

/** The parts of a running tool call. */
interface ToolCallRun extends ChildCallRun {
  steps: ReturnType<typeof createTurnSteps>;
}

/**
 * Runs one tool call as a step or as a child workflow, by its type. A call of an unknown tool runs as a step, which
 * stores the error.
 */
export function routeToolCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  return run.call.startsChild ? runChildCall(run) : runActivity(run);
}

function runActivity({ steps, clock, place, call }: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { index, timeoutMs, summary } = call;
  const input = { ...place, ...toStepTime(clock), index, timeoutMs };
  return followClock(clock, steps.executeToolCall({ summary, ...toStepLimits(clock) }, input));
}
