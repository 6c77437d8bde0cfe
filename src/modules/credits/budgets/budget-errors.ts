import type { BudgetState } from '../../../domain/budget.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** The budget that refuses a call, with what a person reads about it; null for the standard sentence. */
type Refusal = BudgetState & { message: string | null };

/**
 * The error of a call that a budget does not allow, with what was spent, and what a person reads about it where the budget says
 * that. `call` names it in a sentence.
 */
export function createBudgetExceeded(call: string, state: Refusal, needed: bigint): HoldfastError {
  const { budgetId, scope, subject, period, credits, spent, reserved, message: personMessage } = state;
  const whose = subject === null ? 'the workspace' : `the ${scope} ${subject}`;
  const time = { day: ' of this day (UTC)', month: ' of this month (UTC)', total: '' }[period];
  const message =
    `${call} was not made: it can cost ${needed} credits, and the budget of ${whose}${time} has ${credits}, of which ` +
    `${spent} are spent and ${reserved} are reserved by calls that run.`;
  const details = {
    ...{ budgetId, scope, subject, period, credits, spent, reserved, needed: String(needed) },
    ...(personMessage === null ? {} : { personMessage }),
  };
  return new HoldfastError('BUDGET_EXCEEDED', message, { details });
}

/** The error of a call of a model without a price, which no budget can count. */
export function createPriceUnknown(model: string, { scope, subject }: BudgetState): HoldfastError {
  const whose = subject === null ? 'the workspace' : `the ${scope} ${subject}`;
  const message =
    `${model} was not called: it has no price, so the budget of ${whose} cannot be kept. Set a price for it, or for "*", ` +
    'with PUT /api/prices.';
  return new HoldfastError('PRICE_UNKNOWN', message, { details: { model } });
}
