import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { toOneLine } from '../../domain/text.ts';
import { createWorkStart } from '../../platform/work/work-start.ts';
import { type DocumentGeneration, toIngestionWorkflowId } from './document-contract.ts';
import type { documentIngestion } from './document-workflow.ts';

/** The timeout of a request that describes a workflow, in milliseconds. */
const describeDeadlineMs = 5_000;

/** Starts and finds the workflows that process documents. */
export function createIngestionEngine(parts: { client: Client; taskQueue: string }) {
  const { client } = parts;
  const start = createWorkStart<typeof documentIngestion>(parts, {
    ...{ workflow: 'documentIngestion', toWorkflowId: toIngestionWorkflowId, priorityKey: 4 },
  });
  return {
    startIngestion: (document: DocumentGeneration, name: string): Promise<void> =>
      start(document, { staticSummary: toOneLine(name), workflowExecutionTimeout: '1 day' }),

    /** Returns whether the workflow of a document runs, has ended, or is unknown to Temporal. */
    findIngestion: async (document: DocumentGeneration): Promise<'running' | 'closed' | 'missing'> => {
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
