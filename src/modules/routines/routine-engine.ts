import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { HoldfastError } from '../../domain/errors.ts';
import { isTemporalOutage } from '../../platform/lib/temporal-outage.ts';
import {
  routineMessages,
  routineSignal,
  type RoutineRef,
  type RoutineStatusAnswer,
  type StopMode,
} from './routine-contract.ts';
import { searchAttributeNames } from '../../contract/search-attributes.ts';
import { toTurnWorkflowId } from '../../contract/submission.ts';
import type { routineRun } from './interpreter/routine-run-workflow.ts';
import { findTaskFailure } from '../../platform/work/stuck-engine.ts';

/** The timeout of a call to Temporal, in milliseconds. */
const deadlineMs = 5_000;

/** The timeout of a message that the workflow answers, in milliseconds. */
const answerMs = 10_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');
const agentKey = defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD');
const conversationKey = defineSearchAttributeKey(searchAttributeNames.conversation, 'KEYWORD');

/**
 * The timeout of such a message when the last task of the workflow has failed, in milliseconds. Temporal gives the task to a
 * worker again at once, so a workflow that is not stuck answers.
 */
const failingAnswerMs = 1_000;

type Command = { name: 'pause' } | { name: 'resume' } | { name: 'stop'; mode: StopMode };

/** Starts and wakes the workflows of routines, and sends them commands. */
export function createRoutineEngine({ client, taskQueue }: { client: Client; taskQueue: string }) {
  const find = (runId: string) => client.workflow.getHandle<typeof routineRun>(toTurnWorkflowId(runId));
  const within = <Result>(ms: number, run: () => Promise<Result>) =>
    client.withDeadline(Date.now() + ms, run);

  return {
    /** Starts the workflow of a run; does nothing when it was started before. */
    startRoutine: (run: RoutineRef, more: Pick<RoutineStart, 'summary' | 'priority'>): Promise<void> =>
      within(deadlineMs, () => start(client, { run, taskQueue, ...more })),

    /** Notifies a run that events were emitted, or that the run `changed` has ended. */
    wakeRoutine: async (runId: string, changed?: string): Promise<void> => {
      try {
        await within(deadlineMs, () =>
          find(runId).signal(routineSignal, ...(changed === undefined ? [] : [changed])),
        );
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },

    /** Asks a run for its status; null when it is not there, or no worker answers in time. */
    readRoutine: async (runId: string): Promise<RoutineStatusAnswer | null> => {
      try {
        return await within(deadlineMs, () => find(runId).query<RoutineStatusAnswer>(routineMessages.status));
      } catch {
        return null;
      }
    },

    /**
     * Sends a command to a run. A workflow whose tasks fail does not handle it: Temporal then keeps a stop as a
     * cancellation, which takes effect when the workflow progresses again.
     * @throws HoldfastError `CONFLICT` for a run that has ended; `WORKFLOW_STUCK` for one whose tasks fail;
     * `SERVICE_UNAVAILABLE` when no worker answers
     */
    controlRoutine: async (runId: string, command: Command): Promise<void> => {
      try {
        const failure = await within(deadlineMs, () => findTaskFailure(client, toTurnWorkflowId(runId)));
        await within(failure ? failingAnswerMs : answerMs, () =>
          find(runId).executeUpdate<RoutineStatusAnswer, [object]>(routineMessages[command.name], {
            args: [command.name === 'stop' ? { mode: command.mode } : {}],
          }),
        );
      } catch (error) {
        if (isTemporalOutage(error))
          throw await within(deadlineMs, () => toUnanswered(client, find(runId), command));
        const hasEnded = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
        if (!hasEnded) throw error;
        throw new HoldfastError('CONFLICT', `The run has ended, so it cannot be told to ${command.name}.`, {
          cause: error,
        });
      }
    },
  };
}

/** Returns the error for a command that was not answered in time. */
async function toUnanswered(client: Client, run: WorkflowHandle, command: Command): Promise<HoldfastError> {
  try {
    const failure = await findTaskFailure(client, run.workflowId);
    if (failure && command.name === 'stop') await run.cancel();
    if (failure) {
      const message = `The workflow of the run is stuck, so it cannot be told to ${command.name}: ${failure.cause}`;
      return new HoldfastError('WORKFLOW_STUCK', message);
    }
  } catch (error) {
    if (!isTemporalOutage(error)) throw error;
  }
  const message = `No worker has answered for the run, so it may not have been told to ${command.name}. Try again.`;
  return new HoldfastError('SERVICE_UNAVAILABLE', message);
}

/** The start of the workflow of a run. */
export interface RoutineStart {
  run: RoutineRef;
  summary: string;
  /** Lower numbers go first; its steps have the same. */
  priority: number;
  taskQueue: string;
}

async function start(client: Client, { run, summary, priority, taskQueue }: RoutineStart): Promise<void> {
  const { workspaceId, runId, agentId, conversationId } = run;
  try {
    await client.workflow.start<typeof routineRun>('routineRun', {
      taskQueue,
      args: [run],
      workflowId: toTurnWorkflowId(runId),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowTaskTimeout: 5_000,
      staticSummary: summary,
      priority: { fairnessKey: workspaceId, priorityKey: priority },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: workspaceKey, value: workspaceId },
        { key: agentKey, value: agentId },
        { key: conversationKey, value: conversationId },
      ]),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
