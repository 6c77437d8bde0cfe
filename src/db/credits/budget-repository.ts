import type { Knex } from 'knex';
import { warningPercent, type Budget, type BudgetInput } from '../../domain/budget.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toPage, type Page, type PageRequest } from '../page.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { covers, periodStart } from './credit-sql.ts';

interface BudgetRow extends Omit<Budget, 'periodStartsAt' | 'warnedAt' | 'createdAt' | 'updatedAt'> {
  starts_at: Date;
  warned_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The sums of a budget in its present period: added up, settled since, and reserved by calls that run. */
const selectBudgets = `
SELECT b.id, b.scope, b.subject, b.period, b.credits::text AS credits, b.created_at, b.updated_at, p.warned_at,
  ${periodStart('b')} AS starts_at,
  (coalesce(p.spent, 0) + coalesce(open.settled, 0))::text AS spent, coalesce(open.reserved, 0)::text AS reserved
FROM budgets b
LEFT JOIN budget_periods p ON p.budget_id = b.id AND p.starts_at = ${periodStart('b')}
LEFT JOIN LATERAL (
  SELECT sum(e.credits) FILTER (WHERE e.status = 'settled') AS settled,
    sum(e.credits) FILTER (WHERE e.status = 'reserved') AS reserved
  FROM credit_entries e
  WHERE e.workspace_id = b.workspace_id AND e.status IN ('reserved', 'settled') AND NOT e.counted AND e.at >= ${periodStart('b')} AND ${covers('b', 'e')}
) open ON true`;

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
      const { scope, subject = null, period, credits } = input;
      await lock();
      try {
        await trx('budgets').insert({ id, scope, subject, period, credits: String(credits) });
      } catch (error) {
        if (isUniqueViolation(error)) throw budgetExists(input);
        throw error;
      }
      await trx.raw(countPast, { id });
      return getBudget(id);
    },

    /** Changes the size of a budget. It warns again when less than the share is spent. */
    updateBudget: async (id: string, credits: bigint): Promise<Budget> => {
      await lock();
      await refuseLimit(trx, id);
      const change = { credits: String(credits), updated_at: trx.fn.now() };
      if ((await trx('budgets').where({ id }).update(change)) === 0) throw budgetNotFound(id);
      await trx.raw(
        `UPDATE budget_periods SET warned_at = NULL
         WHERE budget_id = :id AND spent::numeric * 100 < :credits::numeric * :percent`,
        { id, credits: String(credits), percent: warningPercent },
      );
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
  };
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

function toBudget({ starts_at, warned_at, created_at, updated_at, ...row }: BudgetRow): Budget {
  return {
    ...row,
    periodStartsAt: row.period === 'total' ? null : starts_at.toISOString(),
    warnedAt: warned_at?.toISOString() ?? null,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

function budgetNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no budget ${id}.`);
}

function budgetExists({ scope, subject, period }: BudgetInput): HoldfastError {
  const whose = subject === undefined ? 'the workspace' : `the ${scope} ${subject}`;
  return new HoldfastError(
    'CONFLICT',
    `There is a budget of ${whose} for the period "${period}". Change that one.`,
  );
}
