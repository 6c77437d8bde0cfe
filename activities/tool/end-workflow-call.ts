import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { EndToolCallInput } from '../../workflows/contract/turn-steps.ts';
import { toRunningResult, toToolWorkflowId, type WorkflowState } from '../../src/domain/workflow-tool.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toAnsweredEnd, toFailedEnd, toUnknownEnd } from './tool-call-ends.ts';

/** A call that is about to end. */
export interface EndingCall {
  call: ClaimedToolCall;
  input: EndToolCallInput;
  signal: AbortSignal;
}

/** How a call of a workflow ends: as its workflow did, or with the ids of one that goes on. */
export async function endWorkflowCall(
  { engine }: ActivityDependencies,
  { call, input, signal }: EndingCall,
): Promise<ToolCallEnd> {
  const workflowId = toToolWorkflowId(call.key);
  if (input.isDetached && input.runId !== null) return toRunningEnd(call, workflowId, input.runId);
  const state = await engine.readWorkflow({ workflowId, waitMs: input.waitMs, signal });
  if (input.isDetached && state.status !== 'missing') {
    return toRunningEnd(call, workflowId, state.status === 'running' ? state.runId : null);
  }
  return toEnd(call, state, workflowId);
}

function toEnd(call: ClaimedToolCall, state: WorkflowState, workflowId: string): ToolCallEnd {
  switch (state.status) {
    case 'missing':
      return toUnknownEnd(call, `its workflow ${workflowId} is not known any more`);
    case 'running':
      return toRunningEnd(call, workflowId, state.runId);
    case 'completed':
      return toAnsweredEnd(call, { status: 'succeeded', text: toResultText(state.result) });
    default:
      return toFailedEnd(call, toFailure(call.name, state, workflowId));
  }
}

function toRunningEnd(call: ClaimedToolCall, workflowId: string, runId: string | null): ToolCallEnd {
  const text = JSON.stringify(toRunningResult(workflowId, runId));
  return toAnsweredEnd(call, { status: 'succeeded', text });
}

/** A workflow may end with bytes, or with nothing, which JSON has no word for. */
function toResultText(result: unknown): string {
  if (!(result instanceof Uint8Array)) return JSON.stringify(result ?? null);
  return JSON.stringify({ encoding: 'base64', data: Buffer.from(result).toString('base64') });
}

type FailedState = Extract<WorkflowState, { message: string }>;

function toFailure(name: string, state: FailedState, workflowId: string): ErrorInfo {
  const { status, message, type, details } = state;
  const how = status.replace('_', ' ');
  const about = type === undefined ? message : `${type}: ${message}`;
  const more: JsonObject = {
    workflowId,
    status,
    ...(type === undefined ? {} : { type }),
    ...(details === undefined ? {} : { details }),
  };
  return {
    code: status === 'timed_out' ? 'TOOL_TIMED_OUT' : 'TOOL_FAILED',
    message:
      status === 'failed'
        ? about
        : `The workflow of ${name} was ${how === 'timed out' ? 'stopped by its timeout' : how}: ${message}`,
    details: more,
  };
}
