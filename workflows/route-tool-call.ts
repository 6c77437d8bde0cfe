import type { ExecuteToolCallResult } from './contract/turn-steps.ts';
import { runChildCall, type ToolCallRun } from './child-tool-call.ts';

/**
 * Runs one tool call the way its type asks for. A tool that the agent does not have goes to the ledger too, which
 * says so.
 */
export function routeToolCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  return run.call.startsChild ? runChildCall(run) : runActivity(run);
}

function runActivity({ steps, step, call, timeLeftMs }: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { index, timeoutMs, summary } = call;
  return steps.executeToolCall({ summary, timeLeftMs, timeoutMs }, { ...step, index, timeoutMs });
}
