import { createKnowledgeBaseRepository } from './knowledge-base-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { KnowledgeBase, KnowledgeBaseChange } from '../../../domain/knowledge.ts';
import { checkKnowledgeBase } from './check-knowledge-base.ts';
import type { KnowledgeDependencies } from '../knowledge-dependencies.ts';
import { recordKnowledgeBase } from '../record-knowledge.ts';

interface KnowledgeBaseUpdate {
  id: string;
  change: KnowledgeBaseChange;
}

/**
 * Changes a knowledge base; its documents stay as they were processed.
 * @throws HoldfastError `NOT_FOUND`, `UNKNOWN_MODEL`, `INVALID_INPUT`; `CONFLICT` for a name that is taken
 */
export async function updateKnowledgeBase(
  dependencies: Pick<KnowledgeDependencies, 'database' | 'checkEmbeddingModel'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { id, change }: KnowledgeBaseUpdate,
): Promise<KnowledgeBase> {
  return dependencies.database.inWorkspace(workspaceId, async (trx) => {
    await checkKnowledgeBase(dependencies, change, trx);
    const updated = await createKnowledgeBaseRepository(trx).updateKnowledgeBase(id, change);
    const changed = Object.keys(change);
    await recordKnowledgeBase(trx, 'updated', { id: updated.id, name: updated.name, change: { changed } });
    return updated;
  });
}
