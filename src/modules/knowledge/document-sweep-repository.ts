import type { Knex } from 'knex';
import { createSweptRows } from '../../platform/work/swept-rows.ts';
import type { DocumentGeneration } from './document-contract.ts';

/** A document that is queued or being processed, and was not updated for a while. */
export interface UnfinishedDocument extends DocumentGeneration {
  name: string;
}

export type DocumentSweepRepository = ReturnType<typeof createDocumentSweepRepository>;

/** Unfinished documents of all workspaces, for the sweeper; needs the system database. */
export function createDocumentSweepRepository(system: Knex) {
  const documents = {
    table: 'documents',
    columns: 'id AS "documentId", workspace_id AS "workspaceId", generation, name',
    ...{ since: 'updated_at', order: 'swept_at NULLS FIRST, updated_at' },
  };
  return {
    /** Queued documents whose workflow is not known to have started. */
    unstarted: createSweptRows<UnfinishedDocument>(system, {
      ...{ ...documents, graceMs: 10_000 },
      condition: "status = 'queued' AND started_generation IS DISTINCT FROM generation",
    }),

    /** Documents whose processing has begun, or whose workflow waits for a worker. */
    unfinished: createSweptRows<UnfinishedDocument>(system, {
      ...{ ...documents, graceMs: 60_000 },
      condition: `(status = 'processing' OR status = 'queued' AND started_generation IS NOT DISTINCT FROM generation)`,
    }),

    /** Notes that the workflow of this generation has started. */
    markStarted: async ({ documentId, generation }: DocumentGeneration): Promise<void> => {
      await system('documents')
        .where({ id: documentId, generation })
        .update({ started_generation: generation });
    },
  };
}
