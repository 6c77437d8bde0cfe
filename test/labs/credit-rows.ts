import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';

/** Stores a price list, a budget with a period, one for each user with a share, and the cost of a call. */
export async function insertCredits(trx: Knex): Promise<void> {
  const budgetId = newId();
  await trx('workspace_prices').insert({ prices: {} });
  await trx('budgets').insert({ id: budgetId, scope: 'workspace', period: 'day', credits: 1_000 });
  await trx('budget_periods').insert({ budget_id: budgetId, starts_at: '2026-01-01', spent: 1 });
  const each = { id: newId(), scope: 'user', is_each: true, period: 'day', credits: 1_000 };
  await trx('budgets').insert(each);
  const share = { budget_id: each.id, share: 'ada', subject: 'Ada', starts_at: '2026-01-01', spent: 1 };
  await trx('budget_shares').insert(share);
  const entry = { source_id: newId(), part: 'model/1', kind: 'model', name: 'demo', status: 'settled' };
  await trx('credit_entries').insert({ ...entry, credits: 1, counted: true });
}
