import type { Knex } from 'knex';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import type { KnowledgeBaseChange } from '../../../domain/knowledge.ts';
import type { KnowledgeDependencies } from '../knowledge-dependencies.ts';

type EmbeddingChoice = Pick<KnowledgeBaseChange, 'embeddingModel' | 'embeddingConnectionId'>;

/**
 * Checks that the embedding model and the connection of a knowledge base exist.
 * @throws HoldfastError `UNKNOWN_MODEL`, `INVALID_INPUT`
 */
export async function checkKnowledgeBase(
  { checkEmbeddingModel }: Pick<KnowledgeDependencies, 'checkEmbeddingModel'>,
  { embeddingModel, embeddingConnectionId }: EmbeddingChoice,
  trx: Knex,
): Promise<void> {
  // A change without `embeddingConnectionId` keeps the present connection, if there is one.
  const hasConnection = embeddingConnectionId !== null;
  const problem = embeddingModel ? checkEmbeddingModel(embeddingModel, { hasConnection }) : null;
  if (problem !== null) {
    throw new HoldfastError('UNKNOWN_MODEL', problem, {
      details: [{ field: 'embeddingModel', message: problem }],
    });
  }
  if (!embeddingConnectionId) return;
  if (await createConnectionRepository(trx).findConnection(embeddingConnectionId)) return;
  const message = 'expected the id of a connection of this workspace';
  throw createInvalidInput([{ field: 'embeddingConnectionId', message }]);
}
