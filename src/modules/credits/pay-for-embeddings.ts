import type { Database } from '../../platform/database/connect-database.ts';
import { createCreditLedgerRepository } from './credit-ledger-repository.ts';
import { createEmbeddingCostRepository, type EmbeddingTerms } from './embedding-cost-repository.ts';
import { estimateEmbedding, toEmbeddingCredits } from '../../domain/credits.ts';
import type { EmbeddingRequest, EmbedTexts, MakeEmbeddings } from '../../domain/knowledge.ts';
import { findPrice } from '../../domain/price-table.ts';
import { createBudgetExceeded, createPriceUnknown } from './budgets/budget-errors.ts';

interface EmbeddingDependencies {
  database: Pick<Database, 'pipelined'>;
  makeEmbeddings: MakeEmbeddings;
}

/**
 * Returns the function that embeds texts and counts what that costs, once for each call however many attempts it takes.
 * The function throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN` and those of the model.
 */
export function payForEmbeddings({ database, makeEmbeddings }: EmbeddingDependencies): EmbedTexts {
  return async (request, texts, signal) => {
    const { workspaceId, model, call } = request;
    const terms = await database.pipelined(workspaceId, (query) =>
      createEmbeddingCostRepository(query).readTerms(),
    );
    if (terms.budgeted) await reserve(database, request, { terms, texts });
    try {
      const { vectors, tokens } = await makeEmbeddings(request, texts, signal);
      const credits = toEmbeddingCredits(tokens, findPrice(model, terms.prices ?? {}));
      await database.pipelined(workspaceId, (query) =>
        createEmbeddingCostRepository(query).settle({ ...call, model, credits }),
      );
      return vectors;
    } catch (error) {
      if (terms.budgeted) await release(database, request).catch(() => undefined);
      throw error;
    }
  };
}

async function reserve(
  database: EmbeddingDependencies['database'],
  { workspaceId, model, call }: EmbeddingRequest,
  { terms, texts }: { terms: EmbeddingTerms; texts: string[] },
): Promise<void> {
  const price = findPrice(model, terms.prices ?? {});
  const credits = price ? estimateEmbedding(texts, price) : null;
  const reservation = await database.pipelined(workspaceId, (query) =>
    createCreditLedgerRepository(query).reserve({ ...call, kind: 'embedding', name: model, credits }),
  );
  if (!reservation) return;
  if (credits === null) throw createPriceUnknown(model, reservation);
  if (reservation.breaks) throw createBudgetExceeded(`A call of ${model}`, reservation, credits);
}

function release(
  database: EmbeddingDependencies['database'],
  { workspaceId, call }: EmbeddingRequest,
): Promise<void> {
  return database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).release(call));
}
