import { CancelledFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  type ChildWorkflowHandle,
  condition,
  ParentClosePolicy,
  startChild,
  type Workflow,
} from '@temporalio/workflow';
import { toChildGraceMs, toChildTimeMs } from './contract/child-time.ts';
import type {
  EndToolCallInput,
  ExecuteToolCallInput,
  ExecuteToolCallResult,
  RoutableToolCall,
  ToolCallChild,
} from './contract/turn-steps.ts';
import type { createTurnSteps } from './activities.ts';
import { toTurnOptions } from './contract/turn-options.ts';
import { toChildTurnType } from './child-turn-type.ts';

/** The parts of a running tool call. */
export interface ToolCallRun {
  steps: ReturnType<typeof createTurnSteps>;
  step: Omit<ExecuteToolCallInput, 'index' | 'timeoutMs'>;
  call: RoutableToolCall;
  timeLeftMs: number;
  /** Called with the id of the workflow that the call starts. */
  onChild: (workflowId: string) => void;
  /** The turns below that have begun to wait for people, or go on; the call takes its own out. */
  changed: Set<string>;
}

/**
 * Runs a tool call that is another workflow: prepares it under the ledger, starts the child once, waits for its end
 * and stores the outcome. The last step reads the result of the child, which does not pass through this workflow.
 */
export async function runChildCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { steps, step, call } = run;
  const begun = await steps.beginToolCall(toOptions(run), { ...step, index: call.index });
  if ('ended' in begun) return begun.ended;
  const { child } = begun;
  run.onChild(child.workflowId);
  const waited = await waitForChild(child, run);
  return steps.endToolCall(toOptions(run), { ...step, index: call.index, ...waited });
}

function toOptions({ call, step }: ToolCallRun) {
  return { summary: call.summary, timeLeftMs: step.deadlineAt - Date.now() };
}

type Waited = Pick<EndToolCallInput, 'runId' | 'waitMs' | 'isDetached'>;

/** Waits until the child has ended or its time is over. A child of an earlier run is waited for by the last step. */
async function waitForChild(
  child: ToolCallChild,
  { step: { deadlineAt }, changed }: ToolCallRun,
): Promise<Waited> {
  const isDetached = child.type === 'workflow' && child.detach;
  const waitMs = isDetached ? 0 : toWaitMs(child, deadlineAt - Date.now());
  const handle = child.type === 'workflow' && child.isStarted ? null : await startOnce(child);
  if (!handle) return { runId: null, waitMs, isDetached };
  const childTurnId = child.type === 'agent' ? child.start.turnId : '';
  if (waitMs > 0) await waitForEnd(handle, waitMs, () => changed.has(childTurnId));
  // A child that has told of a change may wait for people, which the last step finds out.
  const leftMs = changed.delete(childTurnId) ? Math.max(0, toWaitMs(child, deadlineAt - Date.now())) : 0;
  return { runId: handle.firstExecutionRunId, waitMs: leftMs, isDetached };
}

function toWaitMs(child: ToolCallChild, leftMs: number): number {
  return child.type === 'agent' ? toChildGraceMs(leftMs) : toChildTimeMs(leftMs, child.timeoutMs);
}

async function waitForEnd(
  handle: ChildWorkflowHandle<Workflow>,
  waitMs: number,
  hasChanged: () => boolean,
): Promise<void> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  void handle.result().then(note, note);
  await condition(() => hasEnded || hasChanged(), waitMs);
}

/**
 * Starts the child, or returns null when it was started before. It starts outside of the turn's cancellation scope,
 * since a turn that runs out of time must not stop a detached workflow. `settleTurn` cancels the children that end
 * with their turn.
 */
async function startOnce(child: ToolCallChild): Promise<ChildWorkflowHandle<Workflow> | null> {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The turn was stopped.');
  try {
    return await CancellationScope.nonCancellable(() => startByType(child));
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

function startByType(child: ToolCallChild): Promise<ChildWorkflowHandle<Workflow>> {
  const parentClosePolicy = ParentClosePolicy.ABANDON;
  if (child.type === 'agent') {
    const { start } = child;
    return startChild(toChildTurnType(start), { ...toTurnOptions(start), args: [start], parentClosePolicy });
  }
  return startChild(child.workflowType, {
    workflowId: child.workflowId,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    taskQueue: child.taskQueue,
    args: [child.input],
    staticSummary: child.summary,
    memo: child.memo,
    parentClosePolicy,
  });
}
