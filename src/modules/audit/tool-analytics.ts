import type { Knex } from 'knex';
import type { AnalyticsGroup, ToolFigures } from '../../domain/analytics.ts';
import type { TimeRange } from '../../domain/time-range.ts';

/** Selects and groups tool calls. */
export interface AnalyticsRequest extends TimeRange {
  groupBy: AnalyticsGroup[];
  agentId?: string | undefined;
  tool?: string | undefined;
  limit: number;
}

const groupColumns: Record<AnalyticsGroup, string> = {
  tool: 'coalesce(c.target, c.name)',
  agent: 't.agent_id',
  day: `to_char(c.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
};

/** Counts over the tool calls of one workspace. */
export function createToolAnalytics(trx: Knex) {
  return {
    /** One row for each group, those with the most calls first. */
    countToolCalls: async (request: AnalyticsRequest): Promise<ToolFigures[]> => {
      const { from, to, agentId = null, tool = null, limit } = request;
      const { rows } = await trx.raw<{ rows: ToolFigures[] }>(toStatement(request.groupBy), {
        from,
        to,
        agentId,
        tool,
        limit,
      });
      return rows;
    },
  };
}

function toStatement(groupBy: AnalyticsGroup[]): string {
  const column = (group: AnalyticsGroup) => (groupBy.includes(group) ? groupColumns[group] : 'NULL::text');
  return `
WITH ended AS (
  SELECT ${column('tool')} AS tool, ${column('agent')} AS agent, ${column('day')} AS day, c.status,
    CASE WHEN c.status <> 'blocked' AND c.attempts > 0
      THEN extract(epoch FROM c.ended_at - c.started_at) * 1000 END AS duration
  FROM tool_calls c JOIN turns t ON t.id = c.turn_id
  WHERE c.ended_at >= :from AND c.ended_at < :to
    AND c.answered_by IS NULL
    AND (:agentId::uuid IS NULL OR t.agent_id = :agentId)
    AND (:tool::text IS NULL OR coalesce(c.target, c.name) = :tool)
), figures AS (
  SELECT tool, agent, day, count(*) AS calls,
    count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'unknown') AS unknown,
    count(*) FILTER (WHERE status = 'blocked') AS blocked,
    round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration)::numeric, 1)::float8 AS p50,
    round(percentile_cont(0.95) WITHIN GROUP (ORDER BY duration)::numeric, 1)::float8 AS p95
  FROM ended GROUP BY tool, agent, day
)
SELECT tool, agent AS "agentId", day, calls, succeeded, failed, unknown, blocked,
  succeeded::float8 / nullif(calls - blocked, 0) AS "successRate", p50 AS "p50DurationMs", p95 AS "p95DurationMs"
FROM figures ORDER BY calls DESC, day DESC, tool, agent LIMIT :limit`;
}
