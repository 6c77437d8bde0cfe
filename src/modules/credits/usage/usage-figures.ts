import type { Knex } from 'knex';
import type { Viewer } from '../../../domain/actor.ts';
import { toCacheHitRate } from '../../../domain/usage.ts';
import type { TimeRange } from '../../../domain/time-range.ts';
import type { UsageFigures, UsageGroup } from '../../../domain/usage-report.ts';
import type { TokenColumns } from '../usage-columns.ts';
import { joinTokens, tokensOf } from '../call-tokens.ts';
import { toSeenEntries } from './seen-entries.ts';

/** Selects and groups calls. */
export interface UsageRequest extends TimeRange {
  groupBy: UsageGroup[];
  agentId?: string | undefined;
  model?: string | undefined;
  conversationId?: string | undefined;
  user?: string | undefined;
  /** How many groups come before the page. */
  offset: number;
  limit: number;
}

type SummedCalls = Omit<UsageFigures, 'cacheHitRate'>;

const groupColumns: Record<UsageGroup, string> = {
  agent: 'e.agent_id::text',
  model: `CASE WHEN e.kind <> 'tool' THEN e.name END`,
  conversation: 'e.conversation_id::text',
  user: 'e.asked_by',
  day: `to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  kind: 'e.kind',
};

/** Sums over the settled calls of one workspace that a viewer sees. `trx` has the rows of the viewer. */
export function createUsageFigures(trx: Knex, viewer: Pick<Viewer, 'reach'>) {
  return {
    /** One row for each group, the dearest first. */
    sumCalls: async (request: UsageRequest): Promise<UsageFigures[]> => {
      const { groupBy, ...values } = request;
      const none = { agentId: null, model: null, conversationId: null, user: null };
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const { rows } = await trx.raw<{ rows: SummedCalls[] }>(toStatement(groupBy, viewer), {
        ...none,
        ...given,
      });
      return rows.map((row) => ({ ...row, cacheHitRate: toCacheHitRate(row) }));
    },
  };
}

function toStatement(groupBy: UsageGroup[], viewer: Pick<Viewer, 'reach'>): string {
  const column = (group: UsageGroup) => (groupBy.includes(group) ? groupColumns[group] : 'NULL::text');
  const sum = (tokens: keyof TokenColumns) => `coalesce(sum(${tokensOf(tokens)}), 0)::bigint`;
  return `
SELECT ${column('agent')} AS "agentId", ${column('model')} AS model, ${column('conversation')} AS "conversationId",
  ${column('user')} AS "user", ${column('day')} AS day, ${column('kind')} AS kind,
  count(*) FILTER (WHERE e.kind = 'model')::int AS "modelCalls", count(*) FILTER (WHERE e.kind = 'tool')::int AS "toolCalls",
  count(*) FILTER (WHERE e.kind = 'replay')::int AS "replayRuns", count(*) FILTER (WHERE NOT e.priced)::int AS "unpricedCalls",
  count(*) FILTER (WHERE e.kind = 'embedding')::int AS "embeddingCalls",
  count(*) FILTER (WHERE e.kind = 'summary')::int AS "summaryCalls",
  ${sum('input_tokens')} AS "inputTokens", ${sum('cache_read_tokens')} AS "cacheReadTokens",
  ${sum('cache_write_tokens')} AS "cacheWriteTokens", ${sum('output_tokens')} AS "outputTokens",
  sum(e.credits)::text AS credits
FROM credit_entries e
${joinTokens}
WHERE e.workspace_id = current_workspace() AND e.status = 'settled' AND e.at >= :from AND e.at < :to
  AND (:agentId::uuid IS NULL OR e.agent_id = :agentId)
  AND (:model::text IS NULL OR e.kind <> 'tool' AND e.name = :model)
  AND (:conversationId::uuid IS NULL OR e.conversation_id = :conversationId)
  AND (:user::text IS NULL OR e.asked_by = :user)
  ${toSeenEntries(viewer)}
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY sum(e.credits) DESC, day DESC, 1, 2, 3, 4, 6 LIMIT :limit OFFSET :offset`;
}
