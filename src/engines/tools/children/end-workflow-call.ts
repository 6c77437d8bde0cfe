import type { JsonObject } from '../../../domain/json.ts';
import type { FailedResult, ToolResult } from '../../../domain/tool.ts';
import { toRunningResult, toToolWorkflowId, type WorkflowState } from '../../../domain/workflow-target.ts';
import { failedResult } from '../failed-result.ts';
import type { ChildCallDependencies, ChildCallEnd, EndingCall } from './child-call.ts';

/** Ends a call of a workflow with the result or failure of the workflow, or with its ids when it continues. */
export async function endWorkflowCall(
  { call, input, signal }: EndingCall<'workflow'>,
  { engine }: ChildCallDependencies,
): Promise<ChildCallEnd> {
  const workflowId = toToolWorkflowId(call.key);
  if (input.isDetached && input.runId !== null) return toRunning(workflowId, input.runId);
  const state = await engine.readWorkflow({ workflowId, waitMs: input.waitMs, signal });
  if (input.isDetached && state.status !== 'missing') {
    return toRunning(workflowId, state.status === 'running' ? state.runId : null);
  }
  return toEnd(call.name, state, workflowId);
}

function toEnd(name: string, state: WorkflowState, workflowId: string): ChildCallEnd {
  switch (state.status) {
    case 'missing':
      return { status: 'unknown', reason: `its workflow ${workflowId} is not known any more` };
    case 'running':
      return toRunning(workflowId, state.runId);
    case 'completed':
      return { status: 'succeeded', text: toResultText(state.result) };
    default:
      return toFailure(name, state, workflowId);
  }
}

function toRunning(workflowId: string, runId: string | null): ToolResult {
  return { status: 'succeeded', text: JSON.stringify(toRunningResult(workflowId, runId)) };
}

/** The result as JSON. A workflow may also end with bytes, or with nothing, which is written as null. */
function toResultText(result: unknown): string {
  if (!(result instanceof Uint8Array)) return JSON.stringify(result ?? null);
  return JSON.stringify({ encoding: 'base64', data: Buffer.from(result).toString('base64') });
}

type FailedState = Extract<WorkflowState, { message: string }>;

function toFailure(name: string, state: FailedState, workflowId: string): FailedResult {
  const { status, message, type, details } = state;
  const about = type === undefined ? message : `${type}: ${message}`;
  const how = status === 'timed_out' ? 'stopped by its timeout' : status;
  const more: JsonObject = {
    workflowId,
    status,
    ...(type === undefined ? {} : { type }),
    ...(details === undefined ? {} : { details }),
  };
  const code = status === 'timed_out' ? 'TOOL_TIMED_OUT' : 'TOOL_FAILED';
  const reason = status === 'failed' ? about : `The workflow of ${name} was ${how}: ${message}`;
  return failedResult(code, reason, more);
}
