import type { Knex } from 'knex';
import type { Viewer } from '../../../domain/actor.ts';
import type { ModelFigures, ModelGroup } from '../../../domain/analytics.ts';
import type { TimeRange } from '../../../domain/time-range.ts';
import { toCacheHitRate } from '../../../domain/usage.ts';
import type { TokenColumns } from '../usage-columns.ts';
import { joinTokens, tokensOf } from '../call-tokens.ts';
import { toSeenEntries } from './seen-entries.ts';

/** Selects and groups calls of models. */
export interface ModelFiguresRequest extends TimeRange {
  groupBy: ModelGroup[];
  agentId?: string | undefined;
  model?: string | undefined;
  limit: number;
}

const groupColumns: Record<ModelGroup, string> = {
  model: 'c.model',
  provider: `split_part(c.model, '/', 1)`,
  agent: 'c.agent_id::text',
  day: `to_char(c.at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  kind: 'c.kind',
};

/** Counts over the answered calls of language models that a viewer sees. `trx` has the rows of the viewer. */
export function createModelFigures(trx: Knex, viewer: Pick<Viewer, 'reach'>) {
  return {
    /** One row for each group, those with the most calls first. */
    countModelCalls: async (request: ModelFiguresRequest): Promise<ModelFigures[]> => {
      const { from, to, groupBy, agentId = null, model = null, limit } = request;
      const { rows } = await trx.raw<{ rows: Omit<ModelFigures, 'cacheHitRate'>[] }>(
        toStatement(groupBy, viewer),
        {
          ...{ from, to, agentId, model, limit },
        },
      );
      return rows.map((row) => ({ ...row, cacheHitRate: toCacheHitRate(row) }));
    },
  };
}

const tokenColumns: (keyof TokenColumns)[] = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
];

const toSelected = (
  viewer: Pick<Viewer, 'reach'>,
) => `e.workspace_id = current_workspace() AND e.status = 'settled' AND e.at >= :from AND e.at < :to
  AND (:agentId::uuid IS NULL OR e.agent_id = :agentId) ${toSeenEntries(viewer)}`;

/**
 * The events of models that were passed over are found by their own time: a call has an entry before its events are stored,
 * and no call takes a day. Copies of turns in forks, and imported turns, have such events without an entry.
 */
const toPassedOver = (selected: string) => `
  SELECT e.source_id, e.part, e.agent_id, e.at, p.payload ->> 'model' AS model
  FROM events p JOIN credit_entries e ON e.source_id = p.turn_id AND e.part = 'model/' || (p.payload ->> 'iteration')
  WHERE p.workspace_id = current_workspace() AND p.type = 'model.passed'
    AND p.created_at >= :from AND p.created_at < :to::timestamptz + interval '1 day' AND ${selected}`;

function toStatement(groupBy: ModelGroup[], viewer: Pick<Viewer, 'reach'>): string {
  const selected = toSelected(viewer);
  const column = (group: ModelGroup) => (groupBy.includes(group) ? groupColumns[group] : 'NULL::text');
  const sum = (tokens: keyof TokenColumns) => `coalesce(sum(c.${tokens}), 0)::bigint`;
  return `
WITH passed AS MATERIALIZED (${toPassedOver(selected)}
), calls AS (
  SELECT e.name AS model, e.kind, e.agent_id, e.at, true AS is_answered, e.credits, e.priced,
    (e.source_id, e.part) IN (SELECT source_id, part FROM passed) AS is_fallback,
    ${tokensOf('usage_estimated')} AS is_estimated,
    ${tokenColumns.map((tokens) => `${tokensOf(tokens)} AS ${tokens}`).join(', ')}
  FROM credit_entries e ${joinTokens}
  WHERE e.kind IN ('model', 'summary') AND ${selected}
  UNION ALL
  SELECT model, 'model', agent_id, at, false, 0, true, false, false, ${tokenColumns.map(() => '0').join(', ')} FROM passed
)
SELECT ${column('model')} AS model, ${column('provider')} AS provider, ${column('agent')} AS "agentId",
  ${column('day')} AS day, ${column('kind')} AS kind,
  count(*) FILTER (WHERE c.is_answered) AS calls, count(*) FILTER (WHERE c.is_fallback) AS "fallbackCalls",
  count(*) FILTER (WHERE NOT c.is_answered) AS "passedOver", count(*) FILTER (WHERE NOT c.priced) AS "unpricedCalls",
  count(*) FILTER (WHERE c.is_estimated) AS "estimatedCalls",
  ${sum('input_tokens')} AS "inputTokens", ${sum('cache_read_tokens')} AS "cacheReadTokens",
  ${sum('cache_write_tokens')} AS "cacheWriteTokens", ${sum('output_tokens')} AS "outputTokens",
  ${sum('reasoning_tokens')} AS "reasoningTokens", coalesce(sum(c.credits), 0)::text AS credits
FROM calls c WHERE :model::text IS NULL OR c.model = :model
GROUP BY 1, 2, 3, 4, 5
ORDER BY calls DESC, day DESC, 1, 2, 3, 5 LIMIT :limit`;
}
