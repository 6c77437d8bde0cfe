import { warningPercent, type BudgetState } from '../../domain/budget.ts';
import type { Prices } from '../../domain/prices.ts';
import { defineStatement, type Query, type Statement } from '../../platform/database/statement.ts';
import { countSettled } from './count-settled.ts';
import {
  callerColumns,
  countedOf,
  covers,
  embeddingCaller,
  periodStart,
  replayCaller,
  shareOf,
  stateColumns,
  subjectOf,
  workspacePrices,
} from './credit-sql.ts';

/** Names a call, the same for all its attempts. */
export interface CallKey {
  /** The turn of the call, the replay, or the document. */
  sourceId: string;
  /** `model/<iteration>`, `summary/<iteration>/<number>`, `tool/<iteration>/<index>` or `embedding/<call>` of a turn; `run/…` of a replay; `embedding/…` of a document. */
  part: string;
}

/** The call of which a reservation is made. */
export interface CallToReserve extends CallKey {
  kind: 'model' | 'tool' | 'replay' | 'embedding' | 'summary';
  /** The name of the model or tool. */
  name: string;
  /** Its maximum cost; null when its model has no price. */
  credits: bigint | null;
}

/** Says which agent and conversation a run of a replay counts for. */
export interface ReplayedBy {
  /** The version that runs in place of the recorded one; null for that one. */
  agentVersionId: string | null;
  /** A recorded turn of the case. */
  turnId: string;
}

/** The budget that decides about a call: one that it would break, or else the one with the least left. */
export interface Reservation extends BudgetState {
  breaks: boolean;
  /** The text that people read when the budget ends their turn; null for the standard sentence. */
  message: string | null;
}

/** Reservations of calls in workspaces with budgets, and the sums of what was spent. */
export function createCreditLedgerRepository(query: Query) {
  return {
    /**
     * Reserves what a call can cost, unless it would break a budget; a reservation of an earlier attempt is replaced. Null
     * when no budget counts the call. Budgets are counted one transaction after the other, for as long as its three
     * statements take; call it in `pipelined` alone. The reservation is on disk when its transaction ends.
     */
    reserve: async (call: CallToReserve & Partial<ReplayedBy>): Promise<Reservation | null> => {
      const { credits, sourceId, ...named } = call;
      const asked = {
        ...replayedByNobody,
        ...named,
        sourceId,
        credits: String(credits ?? 0n),
        isPriced: credits !== null,
      };
      const [, , [reservation]] = await Promise.all([
        query(lockBudgets, {}),
        query(countSettled, { percent: warningPercent }),
        query(reservations[call.kind], asked),
      ]);
      return reservation ?? null;
    },

    /** Adds the newly settled calls to the budgets, and warns where most is spent. */
    countSettled: async (): Promise<void> => {
      await Promise.all([query(lockBudgets, {}), query(countSettled, { percent: warningPercent })]);
    },

    /** The prices that the workspace has set. */
    readPrices: async (): Promise<Prices> => {
      const [row] = await query(readPrices, {});
      return row?.prices ?? {};
    },

    /** Releases the reservation of a call that was not made. */
    release: async (call: CallKey): Promise<void> => {
      await query(release, call);
    },
  };
}

export type CreditLedgerRepository = ReturnType<typeof createCreditLedgerRepository>;

/**
 * The commit does not wait for the disk, so that the lock is held for no longer than the statements take. A reservation waits
 * for it afterwards: the call in flight does not reserve again when a crash of Postgres has lost its row. Sums that are lost are
 * lost with the marks of what they count.
 */
const lockBudgets = defineStatement<object, unknown>(
  'lock_budgets',
  `SELECT set_config('synchronous_commit', 'off', true),
     pg_advisory_xact_lock(hashtextextended('budgets ' || current_workspace(), 0))`,
);

/**
 * The statement that reserves a call; `caller` is SQL with the columns that name who makes it. It adds calls that were settled
 * after the last `countSettled`.
 */
function defineReservation(name: string, caller: string): Statement<ReserveValues, Reservation> {
  const text = `WITH call AS (
  ${caller}
), open AS (
  SELECT e.* FROM credit_entries e
  WHERE e.workspace_id = current_workspace() AND e.status IN ('reserved', 'settled') AND NOT e.counted
    AND NOT (e.source_id = :sourceId::uuid AND e.part = :part)
), stand AS (
  SELECT b.*, ${subjectOf('b', 'call')} AS whose,
    (coalesce(p.spent, 0) + coalesce(held.settled, 0))::bigint AS spent, coalesce(held.reserved, 0)::bigint AS reserved
  FROM call JOIN budgets b ON b.workspace_id = current_workspace() AND ${covers('b', 'call')}
  LEFT JOIN LATERAL (${countedOf('b', shareOf('b', 'call'))}) p ON true
  LEFT JOIN LATERAL (
    SELECT sum(o.credits) FILTER (WHERE o.status = 'settled') AS settled,
      sum(o.credits) FILTER (WHERE o.status = 'reserved') AS reserved
    FROM open o WHERE ${covers('b', 'o')} AND ${shareOf('b', 'o')} = ${shareOf('b', 'call')} AND o.at >= ${periodStart('b')}
  ) held ON true
), ruled AS (
  SELECT *, NOT :isPriced::boolean OR spent + reserved + :credits::bigint > credits AS breaks FROM stand
), entry AS (
  INSERT INTO credit_entries AS e (source_id, part, kind, name, status, credits, agent_id, conversation_id, asked_by, swarm_id)
  SELECT :sourceId::uuid, :part, :kind, :name, 'reserved', :credits::bigint, call.* FROM call
  WHERE EXISTS (SELECT FROM ruled) AND NOT EXISTS (SELECT FROM ruled WHERE breaks)
  ON CONFLICT (source_id, part) DO UPDATE SET name = excluded.name, status = 'reserved', credits = excluded.credits, counted = false,
    at = now()
  WHERE e.status <> 'settled'
)
SELECT ${stateColumns('b.whose')}, b.spent::text AS spent, b.reserved::text AS reserved, b.breaks, b.message FROM ruled b
ORDER BY b.breaks DESC, b.credits - b.spent - b.reserved LIMIT 1`;
  return defineStatement(name, text, { isFlushed: true });
}

type ReserveValues = Omit<CallToReserve, 'credits'> &
  Partial<Record<keyof ReplayedBy, string | null>> & {
    credits: string;
    isPriced: boolean;
  };

/** Calls of other kinds have no run of a replay. */
const replayedByNobody = { agentVersionId: null, turnId: null };

const reserveForTurn = defineReservation(
  'reserve_credits_of_turn',
  `SELECT ${callerColumns('t')} FROM turns t WHERE t.id = :sourceId::uuid`,
);
const reserveForReplay = defineReservation('reserve_credits_of_replay', replayCaller);
const reserveForEmbedding = defineReservation('reserve_credits_of_embedding', embeddingCaller);

const reservations = {
  model: reserveForTurn,
  summary: reserveForTurn,
  tool: reserveForTurn,
  replay: reserveForReplay,
  embedding: reserveForEmbedding,
};

const readPrices = defineStatement<object, { prices: Prices | null }>(
  'read_prices',
  `SELECT ${workspacePrices} AS prices`,
);

const release = defineStatement<CallKey, unknown>(
  'release_credits',
  `UPDATE credit_entries SET status = 'released', credits = 0, counted = true
   WHERE source_id = :sourceId AND part = :part AND status = 'reserved'`,
);
