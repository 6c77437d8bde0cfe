import { mostBudgets } from '../../../domain/budget.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { covers } from '../credit-sql.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/**
 * The limits of credits of swarms, which are budgets: a call of a swarm, or of one inside of it, that would break one is not
 * made. They are locked after the swarms.
 */
export function createSwarmLimitRepository(query: Query) {
  return {
    /** @throws HoldfastError `CONFLICT` when the workspace has too many budgets */
    openLimit: async (swarmId: string, credits: string): Promise<void> => {
      await query(lockLimits, {});
      const [opened] = await query(openLimit, { id: newId(), swarmId, credits, most: mostBudgets });
      if (opened) return;
      const message = `The workspace has ${mostBudgets} budgets already, and a limit of credits is one more. Delete one first.`;
      throw new HoldfastError('CONFLICT', message);
    },

    /** Removes the limit of a swarm that has ended. */
    closeLimit: async (swarmId: string): Promise<void> => {
      await query(lockLimits, {});
      await query(closeLimit, { swarmId });
    },

    /** The least that limits of some swarms have left; null when none of them has one. */
    findLeft: async (swarmIds: readonly string[]): Promise<bigint | null> => {
      const [row] = await query(findLeft, { swarmIds: JSON.stringify(swarmIds) });
      const left = row?.left ?? null;
      return left === null ? null : BigInt(left);
    },
  };
}

const lockLimits = defineStatement<object, unknown>(
  'lock_limits_of_swarms',
  `SELECT pg_advisory_xact_lock(hashtextextended('budgets ' || current_workspace(), 0))`,
);

interface LimitValues {
  id: string;
  swarmId: string;
  credits: string;
  most: number;
}

const openLimit = defineStatement<LimitValues, { id: string }>(
  'open_limit_of_swarm',
  `INSERT INTO budgets (id, scope, subject, period, credits, is_limit)
   SELECT :id::uuid, 'swarm', :swarmId::uuid::text, 'total', :credits::bigint, true
   WHERE (SELECT count(*) FROM budgets WHERE workspace_id = current_workspace()) < :most::int
   RETURNING id`,
);

const closeLimit = defineStatement<{ swarmId: string }, unknown>(
  'close_limit_of_swarm',
  `DELETE FROM budgets
   WHERE workspace_id = current_workspace() AND scope = 'swarm' AND subject = :swarmId::uuid::text AND is_limit`,
);

/** Reservations of running calls count as used, so that the limits inside of a swarm fit in its own. */
const findLeft = defineStatement<{ swarmIds: string }, { left: string | null }>(
  'find_rest_of_swarm_limits',
  `SELECT min(greatest(0, b.credits - coalesce(p.spent, 0) - coalesce(open.credits, 0)))::text AS left
   FROM budgets b LEFT JOIN budget_periods p ON p.budget_id = b.id
   LEFT JOIN LATERAL (
     SELECT sum(e.credits) AS credits FROM credit_entries e
     WHERE e.workspace_id = current_workspace() AND e.status IN ('reserved', 'settled') AND NOT e.counted AND ${covers('b', 'e')}
   ) open ON true
   WHERE b.workspace_id = current_workspace() AND b.scope = 'swarm' AND b.period = 'total' AND b.is_limit
     AND b.subject = ANY (ARRAY(SELECT jsonb_array_elements_text(:swarmIds::jsonb)))`,
);
