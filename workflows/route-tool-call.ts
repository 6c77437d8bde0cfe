import type { ExecuteToolCallResult } from './contract/turn-steps.ts';
import { runChildCall, type ToolCallRun } from './child-tool-call.ts';

/**
 * Runs one tool call as a step or as a child workflow, by its type. A call of an unknown tool runs as a step, which
 * stores the error.
 */
export function routeToolCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  return run.call.startsChild ? runChildCall(run) : runActivity(run);
}

function runActivity({ steps, step, call, timeLeftMs }: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { index, timeoutMs, summary } = call;
  return steps.executeToolCall({ summary, timeLeftMs }, { ...step, index, timeoutMs });
}
