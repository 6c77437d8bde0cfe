import { CancelledFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  type ChildWorkflowHandle,
  ParentClosePolicy,
  startChild,
  type Workflow,
} from '@temporalio/workflow';
import { toChildGraceMs, toChildTimeMs } from '../src/contract/child-time.ts';
import type {
  BeginToolCallInput,
  ChildCallSteps,
  EndToolCallInput,
  ExecuteToolCallResult,
  RoutableToolCall,
  ToolCallChild,
} from '../src/contract/turn-steps.ts';
import type { WithOptions } from '../src/contract/step-options.ts';
import { toTurnOptions, toTurnType } from '../src/contract/turn-options.ts';
import { followClock, toStepLimits, toStepTime, type TurnClock, waitOnClock } from './turn-clock.ts';

/** The parts of a running tool call that starts another workflow. */
export interface ChildCallRun {
  steps: WithOptions<ChildCallSteps>;
  clock: TurnClock;
  place: Omit<BeginToolCallInput, 'index' | keyof ReturnType<typeof toStepTime>>;
  call: RoutableToolCall;
  /** Called with the id of the workflow that the call starts. */
  onChild: (workflowId: string) => void;
  /** The turns below that have begun to wait for people, or continue; the call removes the one that it waits for. */
  changed: Set<string>;
}

/**
 * Runs a tool call that is another workflow: prepares it under the ledger, starts the child once, waits for its end
 * and stores the outcome. The last step reads the result of the child, which does not pass through this workflow.
 */
export async function runChildCall(run: ChildCallRun): Promise<ExecuteToolCallResult> {
  const { steps, clock, call } = run;
  const options = () => ({ summary: call.summary, ...toStepLimits(clock) });
  const step = () => ({ ...run.place, ...toStepTime(clock), index: call.index });
  const begun = await followClock(clock, steps.beginToolCall(options(), step()));
  if ('ended' in begun) return begun.ended;
  const { child } = begun;
  run.onChild(child.workflowId);
  const waited = await waitForChild(child, run);
  return followClock(clock, steps.endToolCall(options(), { ...step(), ...waited }));
}

type Waited = Pick<EndToolCallInput, 'runId' | 'waitMs' | 'isDetached'>;

/** Waits until the child has ended or its time is over. A child of an earlier run is waited for by the last step. */
async function waitForChild(child: ToolCallChild, { clock, changed }: ChildCallRun): Promise<Waited> {
  const isDetached = child.type === 'workflow' && child.detach;
  const waitMs = isDetached ? 0 : toWaitMs(child, clock);
  const handle = child.type === 'workflow' && child.isStarted ? null : await startOnce(child);
  if (!handle) return { runId: null, waitMs, isDetached };
  const childTurnId = child.type === 'agent' ? child.start.turnId : '';
  if (waitMs > 0) await waitForEnd(handle, { child, clock, waitMs }, () => changed.has(childTurnId));
  // A child that has signalled a change may wait for people; the last step reads its state.
  const leftMs = changed.delete(childTurnId) ? Math.max(0, toWaitMs(child, clock)) : 0;
  return { runId: handle.firstExecutionRunId, waitMs: leftMs, isDetached };
}

function toWaitMs(child: ToolCallChild, { deadlineAt }: TurnClock): number {
  const leftMs = deadlineAt - Date.now();
  return child.type === 'agent' ? toChildGraceMs(leftMs) : toChildTimeMs(leftMs, child.timeoutMs);
}

/** Waits again when the time has passed without a worker: the child had none either. */
async function waitForEnd(
  handle: ChildWorkflowHandle<Workflow>,
  { child, clock, waitMs }: { child: ToolCallChild; clock: TurnClock; waitMs: number },
  hasChanged: () => boolean,
): Promise<void> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  void handle.result().then(note, note);
  for (let leftMs = waitMs; leftMs > 0;) {
    const { deadlineAt } = clock;
    const isDone = await waitOnClock(clock, leftMs, () => hasEnded || hasChanged());
    if (isDone || clock.deadlineAt === deadlineAt) return;
    leftMs = toWaitMs(child, clock);
  }
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
    return startChild(toTurnType(start), { ...toTurnOptions(start), args: [start], parentClosePolicy });
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
