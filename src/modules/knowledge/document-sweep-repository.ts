import type { Knex } from 'knex';
import { createRestMark, isDue, leased } from '../../platform/work/sweep-lease.ts';
import type { DocumentGeneration } from './document-contract.ts';

/** A document that is queued or being processed, and was not updated for a while. */
export interface UnfinishedDocument extends DocumentGeneration {
  name: string;
}

/** How many documents to take, and for how long they were neither updated nor taken. */
interface DocumentBatch {
  graceMs: number;
  limit: number;
}

export type DocumentSweepRepository = ReturnType<typeof createDocumentSweepRepository>;

/** Unfinished documents of all workspaces, for the sweeper; needs the system database. */
export function createDocumentSweepRepository(system: Knex) {
  /**
   * Takes documents under a lease, so that the next call takes others: documents whose workflow runs for long, or cannot
   * be started, never hide the rest. Skips documents that a step works on now.
   */
  const take = async (
    condition: string,
    { graceMs, limit }: DocumentBatch,
  ): Promise<UnfinishedDocument[]> => {
    const { rows } = await system.raw<{ rows: UnfinishedDocument[] }>(
      `UPDATE documents SET swept_at = ${leased(graceMs)} WHERE id IN (
         SELECT id FROM documents
         WHERE ${condition} AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
           AND ${isDue('swept_at', graceMs)}
         ORDER BY swept_at NULLS FIRST, updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
       RETURNING id AS "documentId", workspace_id AS "workspaceId", generation, name`,
      { graceMs, limit },
    );
    return rows;
  };

  return {
    /** Takes queued documents whose workflow is not known to have started. */
    takeUnstarted: (batch: DocumentBatch): Promise<UnfinishedDocument[]> =>
      take(`status = 'queued' AND started_generation IS DISTINCT FROM generation`, batch),

    /** Notes that the workflow of this generation has started. */
    markStarted: async ({ documentId, generation }: DocumentGeneration): Promise<void> => {
      await system('documents')
        .where({ id: documentId, generation })
        .update({ started_generation: generation });
    },

    /** Notes that documents were swept: none of them is taken again for its grace. */
    markSwept: createRestMark(system, 'documents'),

    /** Takes documents whose processing has begun, or whose workflow waits for a worker. */
    takeUnfinished: (batch: DocumentBatch): Promise<UnfinishedDocument[]> =>
      take(
        `(status = 'processing' OR status = 'queued' AND started_generation IS NOT DISTINCT FROM generation)`,
        batch,
      ),
  };
}
