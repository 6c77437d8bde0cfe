import type { Knex } from 'knex';
import type { TurnFigures, TurnGroup } from '../../../domain/analytics.ts';
import type { TimeRange } from '../../../domain/time-range.ts';
import { nameKey } from '../../../platform/database/name-key.ts';

/** Selects and groups turns. */
export interface TurnFiguresRequest extends TimeRange {
  groupBy: TurnGroup[];
  agentId?: string | undefined;
  person?: string | undefined;
  limit: number;
}

const groupColumns: Record<TurnGroup, string> = {
  day: `to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  agent: 't.agent_id::text',
  person: 't.person',
  outcome: `CASE WHEN t.settled_at IS NULL THEN 'open' ELSE t.status END`,
};

/** Counts over the turns of one workspace. */
export function createTurnFigures(trx: Knex) {
  return {
    /** One row for each group, those with the most turns first. */
    countTurns: async (request: TurnFiguresRequest): Promise<TurnFigures[]> => {
      const { groupBy, from, to, agentId = null, person = null, limit } = request;
      const values = { from, to, agentId, person, limit };
      const { rows } = await trx.raw<{ rows: TurnFigures[] }>(toStatement(groupBy), values);
      return rows;
    },
  };
}

const percentile = (share: number) =>
  `round((percentile_cont(${share}) WITHIN GROUP (ORDER BY duration))::numeric, 1)::float8`;

const countOf = (status: string) => `count(*) FILTER (WHERE is_over AND status = '${status}')`;

const sumOf = (column: string) => `coalesce(sum(${column}), 0)::bigint`;

/** Every turn has an ordinal above 0; the condition is that of the index. */
function toStatement(groupBy: TurnGroup[]): string {
  const column = (group: TurnGroup) => (groupBy.includes(group) ? groupColumns[group] : 'NULL::text');
  return `
WITH counted AS (
  SELECT ${column('day')} AS day, ${column('agent')} AS agent_id, ${column('person')} AS of_person,
    ${column('outcome')} AS outcome, t.status, t.settled_at IS NOT NULL AS is_over, t.input_tokens, t.cache_read_tokens,
    t.cache_write_tokens, t.output_tokens, t.reasoning_tokens, t.credits,
    CASE WHEN t.status <> 'steered' THEN extract(epoch FROM t.settled_at - t.created_at) * 1000 END AS duration
  FROM turns t
  WHERE t.workspace_id = current_workspace() AND t.ordinal > 0 AND t.imported_at IS NULL
    AND t.created_at >= :from AND t.created_at < :to
    AND (:agentId::uuid IS NULL OR t.agent_id = :agentId)
    AND (:person::text IS NULL OR t.person = ${nameKey(':person::text')})
)
SELECT day, agent_id AS "agentId", of_person AS person, outcome, count(*) AS turns,
  ${countOf('completed')} AS completed, ${countOf('failed')} AS failed, ${countOf('cancelled')} AS cancelled,
  ${countOf('timed_out')} AS "timedOut", ${countOf('iteration_limit')} AS "iterationLimit",
  ${countOf('steered')} AS steered, count(*) FILTER (WHERE NOT is_over) AS open,
  ${percentile(0.5)} AS "p50DurationMs", ${percentile(0.95)} AS "p95DurationMs",
  ${sumOf('input_tokens')} AS "inputTokens", ${sumOf('cache_read_tokens')} AS "cacheReadTokens",
  ${sumOf('cache_write_tokens')} AS "cacheWriteTokens", ${sumOf('output_tokens')} AS "outputTokens",
  ${sumOf('reasoning_tokens')} AS "reasoningTokens", coalesce(sum(credits), 0)::text AS credits
FROM counted GROUP BY day, agent_id, of_person, outcome
ORDER BY turns DESC, day DESC, agent_id, of_person, outcome LIMIT :limit`;
}
