import { Context } from '@temporalio/activity';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ChildWorkflow } from '../../workflows/contract/turn-steps.ts';
import { toToolWorkflowId, type WorkflowTarget } from '../../src/domain/workflow-tool.ts';
import type { ClaimedToolCall } from '../../src/db/turns/tool-call-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import type { Begun } from './prepare-agent-call.ts';
import { toFailedEnd, toUnknownEnd } from './tool-call-ends.ts';

/** The most that a workflow is started with, in bytes: the turn's own history holds it twice. */
const maximumInputBytes = 256 * 1024;

/** Prepares the workflow of a call, or finds the one that an earlier run of the turn has started. */
export async function prepareWorkflowCall(
  dependencies: ActivityDependencies,
  call: ClaimedToolCall,
): Promise<Begun> {
  const { pipelined, workflowTargets } = dependencies;
  const id = call.tool?.config.workflowId ?? '';
  const target = await workflowTargets.find(call.workspace_id, id);
  const workflowId = toToolWorkflowId(call.key);
  const isStarted = call.child_workflow_id !== null && (await isThere(dependencies, workflowId));
  if (isStarted) return { child: toChild(call, target ?? toLostTarget(id), isStarted) };
  const runId = Context.current().info.workflowExecution?.runId ?? '';
  if (wasLost(call, runId)) return { end: toUnknownEnd(call, 'the workflow was lost') };
  if (!target) return { end: toFailedEnd(call, toMissing(id)) };
  const refusal = findRefusal(dependencies, call, target);
  if (refusal) return { end: toFailedEnd(call, refusal) };
  const link = { toolCallId: call.id, workflowId, runId };
  const isLinked = await pipelined(call.workspace_id, ({ childTurns }) => childTurns.linkWorkflow(link));
  if (!isLinked) throw new HoldfastError('TURN_SETTLED', 'The tool call has ended.');
  return { child: toChild(call, target, isStarted) };
}

async function isThere({ engine }: ActivityDependencies, workflowId: string): Promise<boolean> {
  const state = await engine.readWorkflow({ workflowId, waitMs: 0, signal: new AbortController().signal });
  return state.status !== 'missing';
}

/**
 * Whether the workflow may have run in an engine that has forgotten it. Within one run of the turn a workflow that is
 * not there was never started; a turn that had to be started again, by whomever, cannot know.
 */
function wasLost(call: ClaimedToolCall, runId: string): boolean {
  return call.child_workflow_id !== null && call.effect === 'unsafe' && call.child_begun_by !== runId;
}

function findRefusal(
  { tools }: ActivityDependencies,
  call: ClaimedToolCall,
  target: WorkflowTarget,
): ErrorInfo | null {
  const input = call.arguments ?? {};
  const fields = tools.checkArguments(target.input, input);
  if (fields.length > 0) {
    return {
      code: 'INVALID_TOOL_ARGUMENTS',
      message: `The arguments of ${call.name} do not fit the input of its workflow. Correct them and call it again.`,
      details: fields,
    };
  }
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes <= maximumInputBytes) return null;
  return {
    code: 'INVALID_TOOL_ARGUMENTS',
    message: `The arguments of ${call.name} are ${bytes} bytes long; at most ${maximumInputBytes} are allowed.`,
  };
}

function toMissing(id: string): ErrorInfo {
  return { code: 'TOOL_MISCONFIGURED', message: `There is no workflow ${id} that a tool can start.` };
}

/** A workflow that runs already can be waited for, though the operator has taken its type out of the catalogue. */
function toLostTarget(id: string): WorkflowTarget {
  const input: JsonObject = { type: 'object' };
  return { id, description: '', input, workflowType: id, taskQueue: '', detach: false, timeoutMs: null };
}

function toChild(call: ClaimedToolCall, target: WorkflowTarget, isStarted: boolean): ChildWorkflow {
  const { tool } = call;
  return {
    type: 'workflow',
    workflowId: toToolWorkflowId(call.key),
    workflowType: target.workflowType,
    taskQueue: target.taskQueue,
    input: isStarted ? {} : (call.arguments ?? {}),
    summary: call.name,
    memo: { turnId: call.turn_id, conversationId: call.conversation_id, toolCallId: call.id },
    detach: tool?.config.detach ?? target.detach,
    timeoutMs: tool?.settings?.timeoutMs ?? target.timeoutMs,
    isStarted,
  };
}
