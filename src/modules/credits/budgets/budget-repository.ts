import type { Knex } from 'knex';
import {
  warningPercent,
  type Budget,
  type BudgetChange,
  type BudgetInput,
  type BudgetShare,
} from '../../../domain/budget.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { covers, periodStart, shareOf, subjectOf } from '../credit-sql.ts';

interface BudgetRow extends Omit<Budget, 'each' | 'periodStartsAt' | 'warnedAt' | 'createdAt' | 'updatedAt'> {
  is_each: boolean;
  starts_at: Date;
  warned_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The sums of a budget in its present period, of all its shares: added up, settled since, and reserved by calls that run. */
const selectBudgets = `
SELECT b.id, b.scope, b.subject, b.is_each, b.period, b.credits::text AS credits, b.message, b.created_at, b.updated_at, p.warned_at,
  ${periodStart('b')} AS starts_at,
  (coalesce(p.spent, 0) + coalesce(open.settled, 0))::text AS spent, coalesce(open.reserved, 0)::text AS reserved
FROM budgets b
LEFT JOIN LATERAL (
  SELECT sum(counted.spent)::bigint AS spent, max(counted.warned_at) AS warned_at
  FROM (
    SELECT budget_id, starts_at, spent, warned_at FROM budget_periods
    UNION ALL SELECT budget_id, starts_at, spent, warned_at FROM budget_shares
  ) counted
  WHERE counted.budget_id = b.id AND counted.starts_at = ${periodStart('b')}
) p ON true
LEFT JOIN LATERAL (
  SELECT sum(e.credits) FILTER (WHERE e.status = 'settled') AS settled,
    sum(e.credits) FILTER (WHERE e.status = 'reserved') AS reserved
  FROM credit_entries e
  WHERE e.workspace_id = b.workspace_id AND e.status IN ('reserved', 'settled') AND NOT e.counted AND e.at >= ${periodStart('b')} AND ${covers('b', 'e')}
) open ON true`;

interface ShareRow extends Omit<BudgetShare, 'warnedAt'> {
  warned_at: Date | null;
}

/** A page of shares: how many come before it, and the maximum number on it. */
export interface SharesRequest {
  offset: number;
  limit: number;
}

/** The budgets of one workspace. */
export function createBudgetRepository(trx: Knex) {
  const lock = () =>
    trx.raw(`SELECT pg_advisory_xact_lock(hashtextextended('budgets ' || current_workspace(), 0))`);

  const getBudget = async (id: string): Promise<Budget> => {
    const { rows } = await trx.raw<{ rows: BudgetRow[] }>(`${selectBudgets} WHERE b.id = :id`, { id });
    const [row] = rows;
    if (!row) throw budgetNotFound(id);
    return toBudget(row);
  };

  return {
    getBudget,

    countBudgets: async (): Promise<number> => {
      const row = await trx('budgets').count<{ count: number }[]>('id').first<{ count: number }>();
      return row.count;
    },

    /** Stores a budget, which counts what was spent in its present period before. @throws HoldfastError `CONFLICT` */
    createBudget: async (id: string, input: BudgetInput): Promise<Budget> => {
      const { scope, subject = null, each = false, period, credits, message = null } = input;
      await lock();
      try {
        const amount = { period, credits: String(credits), message };
        await trx('budgets').insert({ id, scope, subject, is_each: each, ...amount });
      } catch (error) {
        if (isUniqueViolation(error)) throw budgetExists(input);
        throw error;
      }
      await trx.raw(each ? countPastOfEach : countPast, { id });
      return getBudget(id);
    },

    /** Changes a budget. It warns again when less than the share is spent of its new size. */
    updateBudget: async (id: string, change: BudgetChange): Promise<Budget> => {
      await lock();
      await refuseLimit(trx, id);
      await changeBudget(trx, id, change);
      return getBudget(id);
    },

    deleteBudget: async (id: string): Promise<void> => {
      await lock();
      await refuseLimit(trx, id);
      if ((await trx('budgets').where({ id }).delete()) === 0) throw budgetNotFound(id);
    },

    /** Newest first. */
    listBudgets: async ({ limit, cursor }: PageRequest): Promise<Page<Budget>> => {
      const { rows } = await trx.raw<{ rows: BudgetRow[] }>(
        `${selectBudgets} WHERE (:cursor::uuid IS NULL OR b.id < :cursor::uuid) ORDER BY b.id DESC LIMIT :most`,
        { cursor: cursor ?? null, most: limit + 1 },
      );
      return toPage(rows, limit, toBudget);
    },

    /** Lists the shares of a budget for each in its present period, the largest first. Another budget has none. */
    listShares: async (id: string, { offset, limit }: SharesRequest): Promise<BudgetShare[]> => {
      const { rows } = await trx.raw<{ rows: ShareRow[] }>(selectShares, { id, offset, limit });
      return rows.map(({ warned_at, ...row }) => ({ ...row, warnedAt: warned_at?.toISOString() ?? null }));
    },
  };
}

/** @throws HoldfastError `NOT_FOUND` */
async function changeBudget(trx: Knex, id: string, { credits, message }: BudgetChange): Promise<void> {
  const change = {
    ...(credits === undefined ? {} : { credits: String(credits) }),
    ...(message === undefined ? {} : { message }),
    updated_at: trx.fn.now(),
  };
  if ((await trx('budgets').where({ id }).update(change)) === 0) throw budgetNotFound(id);
  if (credits === undefined) return;
  for (const table of ['budget_periods', 'budget_shares'])
    await trx(table)
      .where({ budget_id: id })
      .whereRaw('spent::numeric * 100 < ?::numeric * ?', [String(credits), warningPercent])
      .update({ warned_at: null });
}

/** @throws HoldfastError `CONFLICT` for the limit of a swarm */
async function refuseLimit(trx: Knex, id: string): Promise<void> {
  const row = await trx('budgets')
    .where({ id, is_limit: true })
    .first<{ subject: string } | undefined>('subject');
  if (!row) return;
  const message = `This budget is the limit of the swarm ${row.subject}, and goes when that one ends. It cannot be changed.`;
  throw new HoldfastError('CONFLICT', message);
}

/** Credits that are not counted yet are added to all budgets later, the new one included. */
const countPast = `
INSERT INTO budget_periods (budget_id, starts_at, spent)
SELECT b.id, ${periodStart('b')}, sum(e.credits)::bigint
FROM budgets b JOIN credit_entries e ON e.workspace_id = b.workspace_id AND e.at >= ${periodStart('b')} AND ${covers('b', 'e')}
WHERE b.id = :id AND e.counted AND e.status = 'settled'
GROUP BY b.id, ${periodStart('b')}`;

const countPastOfEach = `
INSERT INTO budget_shares (budget_id, starts_at, share, subject, spent)
SELECT b.id, ${periodStart('b')}, ${shareOf('b', 'e')}, (array_agg(${subjectOf('b', 'e')} ORDER BY e.at DESC))[1],
  sum(e.credits)::bigint
FROM budgets b JOIN credit_entries e ON e.workspace_id = b.workspace_id AND e.at >= ${periodStart('b')} AND ${covers('b', 'e')}
WHERE b.id = :id AND e.counted AND e.status = 'settled' AND e.credits > 0
GROUP BY b.id, ${periodStart('b')}, ${shareOf('b', 'e')}`;

const selectShares = `
WITH open AS (
  SELECT ${shareOf('b', 'e')} AS share, (array_agg(${subjectOf('b', 'e')} ORDER BY e.at DESC))[1] AS subject,
    sum(e.credits) FILTER (WHERE e.status = 'settled') AS settled,
    sum(e.credits) FILTER (WHERE e.status = 'reserved') AS reserved
  FROM budgets b JOIN credit_entries e ON e.workspace_id = b.workspace_id AND e.at >= ${periodStart('b')} AND ${covers('b', 'e')}
  WHERE b.id = :id AND b.is_each AND e.status IN ('reserved', 'settled') AND NOT e.counted AND e.credits > 0
  GROUP BY 1
), counted AS (
  SELECT s.share, s.subject, s.spent, s.warned_at
  FROM budgets b JOIN budget_shares s ON s.budget_id = b.id AND s.starts_at = ${periodStart('b')}
  WHERE b.id = :id
)
SELECT coalesce(open.subject, counted.subject) AS subject, (coalesce(counted.spent, 0) + coalesce(open.settled, 0))::text AS spent,
  coalesce(open.reserved, 0)::text AS reserved, counted.warned_at
FROM counted FULL JOIN open USING (share)
ORDER BY coalesce(counted.spent, 0) + coalesce(open.settled, 0) DESC, share
LIMIT :limit OFFSET :offset`;

function toBudget({ is_each, starts_at, warned_at, created_at, updated_at, ...row }: BudgetRow): Budget {
  return {
    ...row,
    each: is_each,
    periodStartsAt: row.period === 'total' ? null : starts_at.toISOString(),
    warnedAt: warned_at?.toISOString() ?? null,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

function budgetNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no budget ${id}.`);
}

function budgetExists({ scope, subject, each, period }: BudgetInput): HoldfastError {
  const one = subject === undefined ? 'the workspace' : `the ${scope} ${subject}`;
  const whose = each ? `each ${scope}` : one;
  return new HoldfastError(
    'CONFLICT',
    `There is a budget of ${whose} for the period "${period}". Change that one.`,
  );
}
