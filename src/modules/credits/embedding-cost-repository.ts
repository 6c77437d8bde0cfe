import type { Prices } from '../../domain/prices.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { embeddingCaller, isBudgeted, workspacePrices } from './credit-sql.ts';
import type { CallKey } from './credit-ledger-repository.ts';

/** The terms under which a workspace embeds texts. */
export interface EmbeddingTerms {
  /** Whether the workspace has budgets, so that the call has to be reserved. */
  budgeted: boolean;
  prices: Prices | null;
}

interface EmbeddingCost extends CallKey {
  model: string;
  /** Null for a model without a price. */
  credits: bigint | null;
}

/** The costs of embeddings: of documents, and of searches with and without a turn. */
export function createEmbeddingCostRepository(query: Query) {
  return {
    readTerms: async (): Promise<EmbeddingTerms> => {
      const [terms] = await query(readTerms, {});
      return terms ?? { budgeted: false, prices: null };
    },

    /** Stores the cost of a call once, and adds it to its turn when it has one. */
    settle: async ({ credits, ...call }: EmbeddingCost): Promise<void> => {
      const values = { ...call, credits: credits === null ? null : String(credits) };
      await Promise.all([query(lockTurn, { turnId: call.sourceId }), query(settle, values)]);
    },
  };
}

const readTerms = defineStatement<object, EmbeddingTerms>(
  'read_terms_of_embeddings',
  `SELECT ${isBudgeted} AS budgeted, ${workspacePrices} AS prices`,
);

/** Turns are locked before their entries, as when a turn ends. */
const lockTurn = defineStatement<{ turnId: string }, unknown>(
  'lock_turn_of_embedding',
  'SELECT FROM turns WHERE id = :turnId FOR NO KEY UPDATE',
);

const settle = defineStatement<Omit<EmbeddingCost, 'credits'> & { credits: string | null }, unknown>(
  'settle_embedding',
  `WITH caller AS (
  ${embeddingCaller}
), charged AS (
  INSERT INTO credit_entries AS e (source_id, part, kind, name, status, credits, priced, agent_id, conversation_id, asked_by,
    swarm_id, counted)
  SELECT :sourceId::uuid, :part, 'embedding', :model, 'settled', coalesce(:credits::bigint, 0), :credits::bigint IS NOT NULL,
    caller.*, NOT ${isBudgeted}
  FROM caller
  ON CONFLICT (source_id, part) DO UPDATE SET status = 'settled', credits = excluded.credits, priced = excluded.priced,
    counted = excluded.counted
  WHERE e.status <> 'settled'
  RETURNING e.source_id, e.credits
)
UPDATE turns t SET credits = t.credits + charged.credits FROM charged WHERE t.id = charged.source_id AND charged.credits > 0`,
);
