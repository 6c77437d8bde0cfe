import { createDocumentRepository, type DocumentKey } from './document-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import type { KnowledgeDependencies } from './knowledge-dependencies.ts';
import { recordDocument } from './record-knowledge.ts';

/** Deletes a document, also while it is processed. @throws HoldfastError `NOT_FOUND` */
export async function deleteDocument(
  { database }: Pick<KnowledgeDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  key: DocumentKey,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const documents = createDocumentRepository(trx);
    const document = await documents.getDocument(key);
    await documents.deleteDocument(key);
    await recordDocument(trx, 'deleted', document);
  });
}
