import { createKnowledgeBaseRepository } from './knowledge-base-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { KnowledgeBase, KnowledgeBaseInput } from '../../../domain/knowledge.ts';
import { checkKnowledgeBase } from './check-knowledge-base.ts';
import type { KnowledgeDependencies } from '../knowledge-dependencies.ts';
import { recordKnowledgeBase } from '../record-knowledge.ts';

/**
 * Creates a knowledge base.
 * @throws HoldfastError `UNKNOWN_MODEL`, `INVALID_INPUT`; `CONFLICT` for a name that is taken
 */
export async function createKnowledgeBase(
  dependencies: Pick<KnowledgeDependencies, 'database' | 'checkEmbeddingModel'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: KnowledgeBaseInput,
): Promise<KnowledgeBase> {
  return dependencies.database.inWorkspace(workspaceId, async (trx) => {
    await checkKnowledgeBase(dependencies, input, trx);
    const created = await createKnowledgeBaseRepository(trx).createKnowledgeBase(input);
    const { id, name, language, embeddingModel } = created;
    const change = { language, embedding_model: embeddingModel };
    await recordKnowledgeBase(trx, 'created', { id, name, change });
    return created;
  });
}
