import { defineStatement } from '../../platform/database/statement.ts';
import { covers, periodStart, shareOf, stateColumns, subjectOf } from './credit-sql.ts';

/** An expression: the time of now when so much of a budget is spent that its workspace is warned. */
const warnedAt = (spent: string, credits: string) =>
  `CASE WHEN (${spent})::numeric * 100 >= ${credits}::numeric * :percent::int THEN now() END`;

/** The rest of an upsert: adds a sum to what was counted before, and notes when the warning came first. */
const addSpent = `spent = p.spent + excluded.spent, warned_at = coalesce(p.warned_at,
    (SELECT ${warnedAt('p.spent + excluded.spent', 'b.credits')} FROM budgets b WHERE b.id = p.budget_id))`;

/**
 * Adds the newly settled calls to the budgets. The warning is an event of the last turn that was counted, and a
 * message to webhooks, once in each period of a budget; of a budget for each, once for each. Like every event it is on disk
 * before it is shown.
 */
export const countSettled = defineStatement<{ percent: number }, { told: string[] }>(
  'count_settled_credits',
  `WITH settled AS (
  UPDATE credit_entries e SET counted = true
  WHERE e.workspace_id = current_workspace() AND e.status = 'settled' AND NOT e.counted
  RETURNING e.source_id, e.kind, e.credits, e.at, e.agent_id, e.conversation_id, e.asked_by, e.swarm_id
), sums AS (
  SELECT b.id, b.is_each, b.credits AS most, ${periodStart('b', 's.at')} AS starts_at, ${shareOf('b', 's')} AS share,
    (array_agg(${subjectOf('b', 's')} ORDER BY s.at DESC))[1] AS subject, sum(s.credits)::bigint AS credits,
    (array_agg(s.source_id ORDER BY s.at DESC) FILTER (WHERE s.kind <> 'replay'))[1] AS turn_id
  FROM settled s JOIN budgets b ON b.workspace_id = current_workspace() AND ${covers('b', 's')}
  WHERE s.credits > 0
  GROUP BY b.id, ${periodStart('b', 's.at')}, ${shareOf('b', 's')}
), counted_periods AS (
  INSERT INTO budget_periods AS p (budget_id, starts_at, spent, warned_at)
  SELECT id, starts_at, credits, ${warnedAt('credits', 'most')} FROM sums WHERE NOT is_each ORDER BY id
  ON CONFLICT (budget_id, starts_at) DO UPDATE SET ${addSpent}
  RETURNING p.budget_id, p.starts_at, '' AS share, p.spent, p.warned_at
), counted_shares AS (
  INSERT INTO budget_shares AS p (budget_id, starts_at, share, subject, spent, warned_at)
  SELECT id, starts_at, share, subject, credits, ${warnedAt('credits', 'most')} FROM sums WHERE is_each ORDER BY id, share
  ON CONFLICT (budget_id, starts_at, share) DO UPDATE SET subject = excluded.subject, ${addSpent}
  RETURNING p.budget_id, p.starts_at, p.share, p.spent, p.warned_at
), counted AS (
  SELECT * FROM counted_periods UNION ALL SELECT * FROM counted_shares
), warned AS (
  SELECT ${stateColumns('s.subject')}, c.spent::text AS spent, t.id AS turn_id,
    t.conversation_id
  FROM counted c JOIN budgets b ON b.id = c.budget_id
  JOIN sums s ON s.id = c.budget_id AND s.starts_at = c.starts_at AND s.share = c.share
  LEFT JOIN turns t ON t.id = s.turn_id
  WHERE c.warned_at = now() AND c.starts_at = ${periodStart('b')}
), told AS (
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT w.id, 'budget.warning', jsonb_build_object('budgetId', warned."budgetId", 'scope', warned.scope, 'subject', warned.subject,
    'period', warned.period, 'credits', warned.credits, 'spent', warned.spent)
  FROM warned, webhooks w WHERE w.disabled_at IS NULL AND 'budget.warning' = ANY (w.events)
  RETURNING id
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_build_array(jsonb_build_object('type', 'budget.warning', 'payload',
    to_jsonb(warned.*) - 'turn_id' - 'conversation_id')), 0)
  FROM warned WHERE turn_id IS NOT NULL
)
SELECT ARRAY(SELECT id::text FROM told) AS told,
  (SELECT set_config('synchronous_commit', 'on', true) FROM warned LIMIT 1) AS waits
FROM (SELECT count(*) FROM logged) AS logged`,
);
