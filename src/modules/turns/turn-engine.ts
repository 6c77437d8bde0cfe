import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  type WorkflowOptions,
} from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TurnWorkflowState } from '../../domain/turn-status.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { decisionSignal, toTurnWorkflowId } from '../../contract/submission.ts';
import { toListedAttributes, toTurnOptions, toTurnType } from '../../contract/turn-options.ts';
import { createWorkflowReader } from '../../platform/temporal/workflow-reader.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored turn later. */
const startDeadlineMs = 5_000;

/** The timeout of a cancel request, in milliseconds. */
const cancelDeadlineMs = 5_000;

interface TurnEngineOptions {
  client: Client;
  taskQueue: string;
  /** Whether lists of workflows show the agent's name and the start of the message. @default false */
  listsMessages?: boolean;
  /** Whether a worker on the connection of `client` may get the first task with the answer to a start. @default false */
  startsEagerly?: boolean;
}

/** The timeout of a request that describes a workflow, in milliseconds. */
const describeDeadlineMs = 5_000;

/** The timeout of a signal, in milliseconds. */
const signalDeadlineMs = 5_000;

/** Enough events to hold the first answer to a workflow task, however often workers have died over it. */
const firstEvents = 50;

/** Starts, stops and finds the workflows of turns. */
export function createTurnEngine({
  client,
  taskQueue,
  listsMessages = false,
  startsEagerly = false,
}: TurnEngineOptions) {
  const find = (turnId: string): WorkflowHandle => client.workflow.getHandle(toTurnWorkflowId(turnId));

  /** Asks a workflow to stop; does nothing when it has ended or was never started. */
  async function cancelWorkflow(workflowId: string): Promise<void> {
    try {
      await client.withDeadline(Date.now() + cancelDeadlineMs, () =>
        client.workflow.getHandle(workflowId).cancel(),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  async function start(input: AgentTurnInput, more: Partial<WorkflowOptions> = {}): Promise<void> {
    const options = toTurnOptions(input);
    const listed = listsMessages ? toListedAttributes(input).getAll() : [];
    try {
      await client.withDeadline(Date.now() + startDeadlineMs, () =>
        client.workflow.start<(input: AgentTurnInput) => Promise<unknown>>(toTurnType(input), {
          ...options,
          typedSearchAttributes: options.typedSearchAttributes.updateCopy(listed),
          taskQueue,
          args: [input],
          workflowIdConflictPolicy: 'USE_EXISTING',
          requestEagerStart: startsEagerly,
          ...more,
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  return {
    ...createWorkflowReader(client),
    cancelWorkflow,

    /** Starts the workflow of a turn; does nothing when it was started before. */
    startTurn: (input: AgentTurnInput): Promise<void> => start(input),

    /** Starts a turn again whose workflow is missing or ended before its first step. */
    restartTurn: (input: AgentTurnInput): Promise<void> =>
      start(input, { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' }),

    /** Asks a turn to stop; does nothing when its workflow has ended or was never started. */
    cancelTurn: (turnId: string): Promise<void> => cancelWorkflow(toTurnWorkflowId(turnId)),

    /** Notifies a turn that an action was decided; does nothing when its workflow has ended. */
    notifyDecision: (turnId: string, actionId: string): Promise<void> =>
      signalDecision(client, find(turnId), actionId),

    findTurnWorkflow: async (turnId: string): Promise<TurnWorkflowState> => {
      try {
        const { status, runId } = await client.withDeadline(Date.now() + describeDeadlineMs, () =>
          find(turnId).describe(),
        );
        if (status.name === 'RUNNING') return 'running';
        if (status.name !== 'TIMED_OUT') return 'closed';
        return (await hasBegun(client, turnId, runId)) ? 'timed_out' : 'unbegun';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}

async function signalDecision(client: Client, turn: WorkflowHandle, actionId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + signalDeadlineMs, () => turn.signal(decisionSignal, actionId));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Returns whether a worker has answered the first workflow task of a run, which schedules the first step. */
async function hasBegun(client: Client, turnId: string, runId: string): Promise<boolean> {
  const { namespace } = client.options;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId: toTurnWorkflowId(turnId), runId },
    maximumPageSize: firstEvents,
  });
  const completed = proto.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
  return history?.events?.some(({ eventType }) => eventType === completed) ?? true;
}
