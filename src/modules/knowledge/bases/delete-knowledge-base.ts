import { createKnowledgeBaseRepository } from './knowledge-base-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { KnowledgeDependencies } from '../knowledge-dependencies.ts';
import { recordKnowledgeBase } from '../record-knowledge.ts';

/** Deletes a knowledge base with its documents. @throws HoldfastError `NOT_FOUND` */
export async function deleteKnowledgeBase(
  { database }: Pick<KnowledgeDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  knowledgeBaseId: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const knowledgeBases = createKnowledgeBaseRepository(trx);
    const { id, name, documentCount } = await knowledgeBases.getKnowledgeBase(knowledgeBaseId);
    await knowledgeBases.deleteKnowledgeBase(id);
    await recordKnowledgeBase(trx, 'deleted', { id, name, change: { documents: documentCount } });
  });
}
