import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';
import { toTurnWorkflowId } from '../../workflows/contract/submission.ts';
import type { agentTurn } from '../../workflows/index.ts';
import { toTurnOptions } from '../../workflows/contract/turn-options.ts';
import { createWorkflowReader } from './workflow-reader.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored turn later. */
const startDeadlineMs = 5_000;

/** The timeout of a cancel request, in milliseconds. */
const cancelDeadlineMs = 5_000;

interface TurnEngineOptions {
  client: Client;
  taskQueue: string;
}

/** Starts, stops and finds the workflows of turns. */
export function createTurnEngine({ client, taskQueue }: TurnEngineOptions) {
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

  return {
    ...createWorkflowReader(client),
    cancelWorkflow,

    /** Starts the workflow of a turn; does nothing when it was started before. */
    startTurn: async (input: AgentTurnInput): Promise<void> => {
      try {
        await client.withDeadline(Date.now() + startDeadlineMs, () =>
          client.workflow.start<typeof agentTurn>('agentTurn', {
            ...toTurnOptions(input),
            taskQueue,
            args: [input],
            workflowIdConflictPolicy: 'USE_EXISTING',
          }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },

    /** Asks a turn to stop; does nothing when its workflow has ended or was never started. */
    cancelTurn: (turnId: string): Promise<void> => cancelWorkflow(toTurnWorkflowId(turnId)),

    findTurnWorkflow: async (turnId: string): Promise<'running' | 'closed' | 'missing'> => {
      try {
        const { status } = await find(turnId).describe();
        return status.name === 'RUNNING' ? 'running' : 'closed';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}
