import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { HoldfastError } from '../domain/errors.ts';
import {
  routineMessages,
  routineSignal,
  type RoutinePlace,
  type RoutineStatusAnswer,
  type StopMode,
} from '../../workflows/contract/routine-steps.ts';
import { searchAttributeNames } from '../../workflows/contract/search-attributes.ts';
import { toTurnWorkflowId } from '../../workflows/contract/submission.ts';
import type { routineRun } from '../../workflows/index.ts';

/** The timeout of a call to Temporal, in milliseconds. */
const deadlineMs = 5_000;

/** The timeout of a message that the workflow answers, in milliseconds. */
const answerMs = 10_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');
const agentKey = defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD');
const conversationKey = defineSearchAttributeKey(searchAttributeNames.conversation, 'KEYWORD');

type Command = { name: 'pause' } | { name: 'resume' } | { name: 'stop'; mode: StopMode };

/** Starts the workflows of routines, wakes them, and tells them what people want. */
export function createRoutineEngine({ client, taskQueue }: { client: Client; taskQueue: string }) {
  const find = (runId: string) => client.workflow.getHandle<typeof routineRun>(toTurnWorkflowId(runId));
  const within = <Result>(ms: number, run: () => Promise<Result>) =>
    client.withDeadline(Date.now() + ms, run);

  return {
    /** Starts the workflow of a run; does nothing when it was started before. */
    startRoutine: (run: RoutinePlace, more: Pick<RoutineStart, 'summary' | 'priority'>): Promise<void> =>
      within(deadlineMs, () => start(client, { run, taskQueue, ...more })),

    /** Tells a run that events were emitted, or that the run `changed` has ended. */
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

    /** @throws HoldfastError `CONFLICT` for a run that has ended */
    controlRoutine: async (runId: string, command: Command): Promise<void> => {
      try {
        await within(answerMs, () =>
          find(runId).executeUpdate<RoutineStatusAnswer, [object]>(routineMessages[command.name], {
            args: [command.name === 'stop' ? { mode: command.mode } : {}],
          }),
        );
      } catch (error) {
        const hasEnded = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
        if (!hasEnded) throw error;
        throw new HoldfastError('CONFLICT', `The run has ended, so it cannot be told to ${command.name}.`, {
          cause: error,
        });
      }
    },
  };
}

interface RoutineStart {
  run: RoutinePlace;
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
