import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createBudgetRepository } from './budget-repository.ts';
import { mostBudgets, type Budget, type BudgetChange, type BudgetInput } from '../../../domain/budget.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { newId } from '../../../platform/lib/ids.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';

interface Place {
  workspaceId: string;
}

/**
 * Stores a new budget, which counts what was spent before in its present period.
 * @throws HoldfastError `CONFLICT` when there is one of the same scope, subject and period, or too many
 */
export function createBudget(
  { database }: CreditDependencies,
  { workspaceId }: Place,
  input: BudgetInput,
): Promise<Budget> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const budgets = createBudgetRepository(trx);
    if ((await budgets.countBudgets()) >= mostBudgets) throw tooMany();
    const budget = await budgets.createBudget(newId(), input);
    await createAuditLog(trx).record({
      type: 'budget.created',
      subjectId: budget.id,
      payload: toPayload(budget),
    });
    return budget;
  });
}

/** Changes a budget. @throws HoldfastError `NOT_FOUND`; `CONFLICT` for the limit of a swarm */
export function updateBudget(
  { database }: CreditDependencies,
  { workspaceId }: Place,
  { id, change }: { id: string; change: BudgetChange },
): Promise<Budget> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const budget = await createBudgetRepository(trx).updateBudget(id, change);
    await createAuditLog(trx).record({ type: 'budget.updated', subjectId: id, payload: toPayload(budget) });
    return budget;
  });
}

/** @throws HoldfastError `NOT_FOUND`; `CONFLICT` for the limit of a swarm */
export function deleteBudget(
  { database }: CreditDependencies,
  { workspaceId }: Place,
  id: string,
): Promise<void> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await createBudgetRepository(trx).deleteBudget(id);
    await createAuditLog(trx).record({ type: 'budget.deleted', subjectId: id, payload: {} });
  });
}

function toPayload({ scope, subject, each, period, credits }: Budget) {
  return { scope, subject, each, period, credits };
}

function tooMany(): HoldfastError {
  return new HoldfastError('CONFLICT', `A workspace has at most ${mostBudgets} budgets. Delete one first.`);
}
