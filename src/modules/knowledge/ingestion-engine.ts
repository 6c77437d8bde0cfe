import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { type DocumentGeneration, type StartIngestion, toIngestionWorkflowId } from './document-contract.ts';
import { searchAttributeNames } from '../../contract/search-attributes.ts';
import { toOneLine } from '../../domain/text.ts';
import type { documentIngestion } from './document-workflow.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored document later. */
const startDeadlineMs = 5_000;

/** The timeout of a look for a workflow, in milliseconds. */
const describeDeadlineMs = 5_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

/** Starts the processing of documents, and finds out whether it runs. */
export interface IngestionEngine {
  startIngestion: StartIngestion;
  findIngestion: (document: DocumentGeneration) => Promise<'running' | 'closed' | 'missing'>;
}

/** Starts and finds the workflows that process documents. */
export function createIngestionEngine({
  client,
  taskQueue,
}: {
  client: Client;
  taskQueue: string;
}): IngestionEngine {
  return {
    startIngestion: async (document, name) => {
      try {
        await client.withDeadline(Date.now() + startDeadlineMs, () =>
          client.workflow.start<typeof documentIngestion>('documentIngestion', {
            taskQueue,
            args: [document],
            workflowId: toIngestionWorkflowId(document),
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowExecutionTimeout: '1 day',
            staticSummary: toOneLine(name),
            // The workflow tasks share a queue with those of turns, whose users wait: turns have the default key, 3.
            priority: { fairnessKey: document.workspaceId, priorityKey: 4 },
            typedSearchAttributes: new TypedSearchAttributes([
              { key: workspaceKey, value: document.workspaceId },
            ]),
          }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },

    findIngestion: async (document) => {
      try {
        const { status } = await client.withDeadline(Date.now() + describeDeadlineMs, () =>
          client.workflow.getHandle(toIngestionWorkflowId(document)).describe(),
        );
        return status.name === 'RUNNING' ? 'running' : 'closed';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}
