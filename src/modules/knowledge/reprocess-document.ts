import { createDocumentRepository, type DocumentKey } from './document-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import type { KnowledgeDocument } from '../../domain/knowledge.ts';
import { recordDocument } from './record-knowledge.ts';
import { startIngestion, type IngestionDependencies } from './start-ingestion.ts';

/**
 * Starts a new processing of a document, with the chunking and the embedding model that its knowledge base has now.
 * Its present chunks can be found until the new ones are ready.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function reprocessDocument(
  dependencies: IngestionDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  key: DocumentKey,
): Promise<KnowledgeDocument> {
  const stored = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const restarted = await createDocumentRepository(trx).reprocessDocument(key);
    await recordDocument(trx, 'reprocessed', restarted.document);
    return restarted;
  });
  await startIngestion(dependencies, workspaceId, stored);
  return stored.document;
}
