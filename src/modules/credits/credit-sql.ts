import { nameKey } from '../../platform/database/name-key.ts';
import { askedBy, rootConversation } from './turn-origin.ts';

/** An expression: whether the workspace of the statement has budgets, so that its calls have to be reserved. */
export const isBudgeted = 'EXISTS (SELECT FROM budgets b WHERE b.workspace_id = current_workspace())';

/** An expression: the prices that the workspace of the statement has set; null for none. */
export const workspacePrices =
  '(SELECT p.prices FROM workspace_prices p WHERE p.workspace_id = current_workspace())';

/**
 * An expression: whether a budget counts a call, which has the columns of `credit_entries` that name who makes it. People are
 * the same in any case and form of their names. A budget of a swarm counts the calls of the swarms inside of it too. A budget
 * for each counts every call that has a subject.
 */
export function covers(budget: string, call: string): string {
  return `(CASE WHEN ${budget}.is_each THEN ${subjectOf(budget, call)} IS NOT NULL ELSE CASE ${budget}.scope WHEN 'workspace' THEN true
    WHEN 'agent' THEN ${budget}.subject = ${call}.agent_id::text
    WHEN 'conversation' THEN ${budget}.subject = ${call}.conversation_id::text
    WHEN 'swarm' THEN ${call}.swarm_id IS NOT NULL AND (${budget}.subject = ${call}.swarm_id::text OR EXISTS (
      SELECT FROM swarms inner_swarm
      WHERE inner_swarm.id = ${call}.swarm_id AND ${budget}.subject = ANY (inner_swarm.lineage::text[])))
    ELSE ${budget}.subject = ${call}.asked_by OR ${nameKey(`${budget}.subject`)} = ${nameKey(`${call}.asked_by`)} END END)`;
}

/** An expression: the agent, conversation or user of a call for which a budget for each counts it; null for none. */
export function subjectOf(budget: string, call: string): string {
  return `(CASE ${budget}.scope WHEN 'agent' THEN ${call}.agent_id::text
    WHEN 'conversation' THEN ${call}.conversation_id::text ELSE ${call}.asked_by END)`;
}

/** An expression: the share of a budget that counts a call: all calls of one subject, and all of a budget that is not for each. */
export function shareOf(budget: string, call: string): string {
  return `(CASE WHEN ${budget}.is_each THEN ${nameKey(subjectOf(budget, call))} ELSE '' END)`;
}

/** A statement with what a share of a budget has counted in its present period: `spent` and `warned_at`; no row for nothing. */
export function countedOf(budget: string, share: string): string {
  return `SELECT spent, warned_at FROM budget_periods
    WHERE NOT ${budget}.is_each AND budget_id = ${budget}.id AND starts_at = ${periodStart(budget)}
  UNION ALL SELECT spent, warned_at FROM budget_shares
    WHERE ${budget}.is_each AND budget_id = ${budget}.id AND starts_at = ${periodStart(budget)} AND share = ${share}`;
}

/** The columns of a budget in a `BudgetState`; `subject` is SQL of the one whose calls a budget for each has counted. */
export function stateColumns(subject: string): string {
  return `b.id AS "budgetId", b.scope, CASE WHEN b.is_each THEN ${subject} ELSE b.subject END AS subject, b.period, b.credits::text AS credits`;
}

/** An expression: when the period of a budget began in which a time lies, in UTC. */
export function periodStart(budget: string, time = 'now()'): string {
  return `(CASE ${budget}.period WHEN 'total' THEN 'epoch'::timestamptz
    ELSE date_trunc(${budget}.period, ${time}, 'UTC') END)`;
}

/** The columns of `credit_entries` that name who makes the calls of a turn with the given alias. */
export function callerColumns(turn: string): string {
  return `${turn}.agent_id, ${rootConversation(turn)} AS conversation_id, ${askedBy(turn)} AS asked_by, ${turn}.swarm_id`;
}

/** A statement with the columns of {@link callerColumns} for `:sourceId`, which may be no turn. */
export const embeddingCaller = `SELECT ${callerColumns('t')} FROM (SELECT) one LEFT JOIN turns t ON t.id = :sourceId::uuid`;

/** The columns of a turn with the given alias that {@link callerColumns} and {@link chargeCall} read. */
export function callerSource(turn: string): string {
  const columns = [
    'agent_id',
    'conversation_id',
    'root_conversation_id',
    'started_by',
    'asked_by',
    'swarm_id',
  ];
  return columns.map((column) => `${turn}.${column}`).join(', ');
}

/**
 * A statement with the columns of {@link callerColumns} for a run of the replay `:sourceId`: the agent whose version runs, which is
 * that of `:agentVersionId` unless it is null, and the conversation of the recorded turn `:turnId`.
 */
export const replayCaller = `SELECT
    coalesce((SELECT v.agent_id FROM agent_versions v WHERE v.id = :agentVersionId::uuid), t.agent_id) AS agent_id,
    ${rootConversation('t')} AS conversation_id, r.started_by ->> 'actingFor' AS asked_by, NULL::uuid AS swarm_id
  FROM replays r LEFT JOIN turns t ON t.id = :turnId::uuid WHERE r.id = :sourceId::uuid`;

interface Charge {
  /** The part of the statement with the turn, as `turn`; no row when the call was settled before. */
  from: string;
  /** The SQL of the entry: its part, its kind and its name. */
  part: string;
  kind: 'model' | 'tool' | 'summary';
  name: string;
  /** @default every row */
  where?: string;
}

/**
 * A part of a `WITH`, named `charged`: settles a call with `:credits`, in the statement that stores its end. A reservation
 * of it becomes the cost. Where the workspace has budgets, they count it later.
 */
export function chargeCall({ from, part, kind, name, where = 'true' }: Charge): string {
  return `charged AS (
  INSERT INTO credit_entries AS e (source_id, part, kind, name, status, credits, priced, agent_id, conversation_id, asked_by,
    swarm_id, counted)
  SELECT turn.id, ${part}, '${kind}', ${name}, 'settled', coalesce(:credits::bigint, 0), :credits::bigint IS NOT NULL,
    ${callerColumns('turn')}, NOT ${isBudgeted}
  FROM ${from} WHERE ${where}
  ON CONFLICT (source_id, part) DO UPDATE SET name = excluded.name, status = 'settled', credits = excluded.credits, priced = excluded.priced,
    counted = excluded.counted
  WHERE e.status <> 'settled'
)`;
}
