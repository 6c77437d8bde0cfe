import { createBudgetRepository } from './budget-repository.ts';
import type { BudgetShare } from '../../../domain/budget.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';

/** A page of what each has spent of a budget. */
export interface SharesQuery {
  id: string;
  limit: number;
  /** How many come before the page, as digits. */
  cursor?: string | undefined;
}

/**
 * Lists what each agent, conversation or user has spent of a budget for each in its present period, the most first.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a budget that is not for each
 */
export function listBudgetShares(
  { database }: CreditDependencies,
  { workspaceId }: { workspaceId: string },
  { id, limit, cursor = '0' }: SharesQuery,
): Promise<{ shares: BudgetShare[]; nextCursor: string | null }> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const budgets = createBudgetRepository(trx);
    const budget = await budgets.getBudget(id);
    if (!budget.each)
      throw new HoldfastError('CONFLICT', `The budget ${id} is not for each, so it has no shares.`);
    const offset = Number(cursor);
    const found = await budgets.listShares(id, { offset, limit: limit + 1 });
    return {
      shares: found.slice(0, limit),
      nextCursor: found.length > limit ? String(offset + limit) : null,
    };
  });
}
