import type { Knex } from 'knex';
import type { DocumentGeneration } from '../../../workflows/contract/document-steps.ts';

/** A document that is queued or being processed, and was not updated for a while. */
export interface UnfinishedDocument extends DocumentGeneration {
  name: string;
}

export type DocumentSweepRepository = ReturnType<typeof createDocumentSweepRepository>;

/** Unfinished documents of all workspaces, for the sweeper; needs the system database. */
export function createDocumentSweepRepository(system: Knex) {
  return {
    /** Lists documents, oldest first. */
    listUnfinished: async ({
      graceMs,
      limit,
    }: {
      graceMs: number;
      limit: number;
    }): Promise<UnfinishedDocument[]> => {
      const { rows } = await system.raw<{ rows: UnfinishedDocument[] }>(
        `SELECT id AS "documentId", workspace_id AS "workspaceId", generation, name FROM documents
         WHERE status IN ('queued', 'processing') AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
         ORDER BY updated_at LIMIT :limit`,
        { graceMs, limit },
      );
      return rows;
    },
  };
}
