import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { AgentTurnInput } from '../domain/turn-steps.ts';
import { toTurnWorkflowId } from '../domain/turn-submission.ts';
import type { agentTurn } from '../../workflows/index.ts';
import { toTurnOptions } from '../../workflows/turn-options.ts';

/** How long a start is tried, in milliseconds: a turn is stored before, and the sweeper starts what was not. */
const startDeadlineMs = 5_000;

interface TurnEngineOptions {
  client: Client;
  taskQueue: string;
}

/** Starts, stops and finds the workflows of turns. */
export function createTurnEngine({ client, taskQueue }: TurnEngineOptions) {
  const find = (turnId: string): WorkflowHandle => client.workflow.getHandle(toTurnWorkflowId(turnId));

  return {
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
    cancelTurn: async (turnId: string): Promise<void> => {
      try {
        await find(turnId).cancel();
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },

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
