import {
  ApplicationFailure,
  CancelledFailure,
  type Client,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { JsonValue } from '../../domain/json.ts';
import type { WorkflowState } from '../../domain/workflow-target.ts';

/** The workflow to read, and the time to wait for its end. */
export interface ReadOptions {
  workflowId: string;
  /** How long to wait for its end, in milliseconds; 0 reads the present state. */
  waitMs: number;
  signal: AbortSignal;
}

/** Reads the status and the result of workflows that tool calls have started. */
export function createWorkflowReader(client: Client) {
  return {
    /** Waits at most `waitMs` for the end of a workflow, then returns its state. */
    readWorkflow: async ({ workflowId, waitMs, signal }: ReadOptions): Promise<WorkflowState> => {
      const handle = client.workflow.getHandle(workflowId);
      try {
        if (waitMs > 0) await waitForEnd(client, handle, { waitMs, signal });
        const { status, runId } = await handle.describe();
        return status.name === 'RUNNING' ? { status: 'running', runId } : await readEnd(handle);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { status: 'missing' };
        throw error;
      }
    },
  };
}

async function waitForEnd(
  client: Client,
  handle: WorkflowHandle,
  { waitMs, signal }: Omit<ReadOptions, 'workflowId'>,
): Promise<void> {
  const limit = AbortSignal.timeout(waitMs);
  try {
    await client.withAbortSignal(AbortSignal.any([signal, limit]), () => handle.result());
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted && !(error instanceof WorkflowFailedError)) throw error;
  }
}

async function readEnd(handle: WorkflowHandle): Promise<WorkflowState> {
  try {
    return { status: 'completed', result: await handle.result() };
  } catch (error) {
    if (error instanceof WorkflowFailedError) return toFailedState(error.cause);
    throw error;
  }
}

/** Takes the message from the innermost cause, since the outer errors only name the workflow or activity. */
function toFailedState(error: Error | undefined): WorkflowState {
  const cause = findInnermost(error);
  const message = cause?.message ?? 'The workflow failed without a message.';
  if (error instanceof CancelledFailure) return { status: 'cancelled', message };
  if (error instanceof TerminatedFailure) return { status: 'terminated', message };
  if (error instanceof TimeoutFailure) return { status: 'timed_out', message };
  if (!(cause instanceof ApplicationFailure)) return { status: 'failed', message };
  return {
    status: 'failed',
    message,
    ...(cause.type ? { type: cause.type } : {}),
    ...(cause.details?.length ? { details: cause.details as JsonValue } : {}),
  };
}

function findInnermost(error: Error | undefined): Error | undefined {
  let found = error;
  while (found?.cause instanceof Error) found = found.cause;
  return found;
}
