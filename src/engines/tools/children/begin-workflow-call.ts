import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { FailedResult } from '../../../domain/tool.ts';
import { toToolWorkflowId, type WorkflowTarget } from '../../../domain/workflow-target.ts';
import type { ChildWorkflow } from '../../../contract/turn-steps.ts';
import { failedResult } from '../failed-result.ts';
import { schemaChecksOf } from '../json-schema/schema-checks.ts';
import type { BeginningCall, BegunCall, ChildCallDependencies, ClaimedCallOf } from './child-call.ts';

/** The most that a workflow is started with, in bytes: the turn's own history holds it twice. */
const maximumInputBytes = 256 * 1024;

/** Prepares the workflow of a call, or finds the one that an earlier run of the turn has started. */
export async function beginWorkflowCall(
  { call, runId }: BeginningCall<'workflow'>,
  dependencies: ChildCallDependencies,
): Promise<BegunCall> {
  const { pipelined, workflowTargets } = dependencies;
  const { workflowId: id = '' } = call.tool.config;
  const target = await workflowTargets.find(call.workspace_id, id);
  const workflowId = toToolWorkflowId(call.key);
  const isStarted = call.child_workflow_id !== null && (await isThere(dependencies, workflowId));
  if (isStarted) return { child: toChild(call, target ?? toLostTarget(id), isStarted) };
  if (wasLost(call, runId)) return { end: { status: 'unknown', reason: 'the workflow was lost' } };
  if (!target) return { end: toMissing(id) };
  const refusal = await findRefusal(call, target);
  if (refusal) return { end: refusal };
  const link = { toolCallId: call.id, workflowId, runId };
  const isLinked = await pipelined(call.workspace_id, ({ childTurns }) => childTurns.linkWorkflow(link));
  if (!isLinked) throw new HoldfastError('TURN_SETTLED', 'The tool call has ended.');
  return { child: toChild(call, target, isStarted) };
}

async function isThere({ engine }: ChildCallDependencies, workflowId: string): Promise<boolean> {
  const state = await engine.readWorkflow({ workflowId, waitMs: 0, signal: new AbortController().signal });
  return state.status !== 'missing';
}

/**
 * Whether the workflow may have run in an engine that has forgotten it. Within one run of the turn, a workflow that the
 * engine does not know was never started. A later run of the turn cannot know that.
 */
function wasLost(call: ClaimedCallOf<'workflow'>, runId: string): boolean {
  return call.child_workflow_id !== null && call.effect === 'unsafe' && call.child_begun_by !== runId;
}

async function findRefusal(
  call: ClaimedCallOf<'workflow'>,
  target: WorkflowTarget,
): Promise<FailedResult | null> {
  const input = call.arguments ?? {};
  const fields = await schemaChecksOf(call.workspace_id).checkSchema(target.input, input);
  if (fields.length > 0) {
    const message = `The arguments of ${call.name} do not fit the input of its workflow. Correct them and call it again.`;
    return failedResult('INVALID_TOOL_ARGUMENTS', message, fields);
  }
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes <= maximumInputBytes) return null;
  const message = `The arguments of ${call.name} are ${bytes} bytes long; at most ${maximumInputBytes} are allowed.`;
  return failedResult('INVALID_TOOL_ARGUMENTS', message);
}

function toMissing(id: string): FailedResult {
  return failedResult('TOOL_MISCONFIGURED', `There is no workflow ${id} that a tool can start.`);
}

/** Stands in for a type that the operator has removed from the catalogue, so that the workflow that runs is waited for. */
function toLostTarget(id: string): WorkflowTarget {
  const input: JsonObject = { type: 'object' };
  return { id, description: '', input, workflowType: id, taskQueue: '', detach: false, timeoutMs: null };
}

function toChild(call: ClaimedCallOf<'workflow'>, target: WorkflowTarget, isStarted: boolean): ChildWorkflow {
  const { tool } = call;
  return {
    type: 'workflow',
    workflowId: toToolWorkflowId(call.key),
    workflowType: target.workflowType,
    taskQueue: target.taskQueue,
    input: isStarted ? {} : (call.arguments ?? {}),
    summary: call.name,
    memo: { turnId: call.turn_id, conversationId: call.conversation_id, toolCallId: call.id },
    detach: tool.config.detach ?? target.detach,
    timeoutMs: tool.settings?.timeoutMs ?? target.timeoutMs,
    isStarted,
  };
}
