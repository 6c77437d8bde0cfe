import { WorkflowFailedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isSettled } from '../../src/domain/turn-status.ts';
import type { ToolCallRow } from '../../src/modules/turns/calls/tool-call-rows.ts';
import { createEventRepository } from '../../src/modules/turns/events/event-repository.ts';
import { readTurn } from '../../src/modules/turns/read-turn.ts';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { eventually } from './eventually.ts';

/** A piece of streamed text as it is stored; a reset has no text. */
export interface LabChunk {
  iteration: number;
  attempt: number;
  text: string | null;
}

/** Returns the functions of a lab that read what turns of a workspace have stored. */
export function createLabReaders(database: Database, workspaceId: string, client: Client) {
  const read = (turnId: string) => readTurn({ database }, { workspaceId }, turnId);
  const waitUntilSettled = (turnId: string) =>
    eventually(
      () => read(turnId),
      ({ status }) => isSettled(status),
    );
  return {
    readTurn: read,
    waitUntilSettled,
    waitForOutcome: async (turnId: string) => {
      const turn = await waitUntilSettled(turnId);
      // A turn that failed or was cancelled ends its workflow with an error.
      await client.workflow.getHandle(`turn-${turnId}`).result().catch(ignoreFailedWorkflow);
      return turn;
    },
    waitForActions: async (turnId: string, count = 1) => {
      const waiting = await eventually(
        () => read(turnId),
        ({ status, pendingActions }) => status === 'waiting_for_approval' && pendingActions.length === count,
      );
      return waiting.pendingActions;
    },
    readLedger: (turnId: string) =>
      database.inWorkspace(workspaceId, async (trx) =>
        trx<ToolCallRow>('tool_calls').where({ turn_id: turnId }).orderBy(['iteration', 'index']),
      ),
    readEvents: (conversationId: string) =>
      database.pipelined(workspaceId, (query) =>
        createEventRepository(query).listEvents({ conversationId, afterSeq: 0, limit: 10_000 }),
      ),
    readChunks: (turnId: string) =>
      database.inWorkspace(workspaceId, async (trx) =>
        trx('stream_chunks')
          .where({ turn_id: turnId })
          .orderBy('id')
          .select<LabChunk[]>('iteration', 'attempt', 'text'),
      ),
  };
}

/** A direct turn has no workflow. */
function ignoreFailedWorkflow(error: unknown): void {
  if (!(error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError)) throw error;
}
