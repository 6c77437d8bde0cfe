import { createToolAnalytics, type AnalyticsRequest } from '../db/audit/tool-analytics.ts';
import type { ToolFigures } from '../domain/analytics.ts';
import type { Principal } from '../domain/api-key.ts';
import { createInvalidInput } from '../domain/errors.ts';
import type { AuditDependencies } from './audit-dependencies.ts';

const defaultSpanMs = 30 * 24 * 60 * 60 * 1000;

/** Which calls are counted; without times those of the last 30 days. */
interface AnalyticsQuery extends Omit<AnalyticsRequest, 'from' | 'to'> {
  from?: string | undefined;
  to?: string | undefined;
}

/** The figures of the tool calls of a workspace, and the time that they cover. */
interface ToolAnalytics {
  from: string;
  to: string;
  tools: ToolFigures[];
}

/** Counts the tool calls of a workspace by group. @throws HoldfastError `INVALID_INPUT` when `from` is not before `to` */
export async function getToolAnalytics(
  { database }: Pick<AuditDependencies, 'database'>,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  query: AnalyticsQuery,
): Promise<ToolAnalytics> {
  const to = query.to ?? new Date().toISOString();
  const from = query.from ?? new Date(Date.parse(to) - defaultSpanMs).toISOString();
  if (Date.parse(from) >= Date.parse(to)) {
    throw createInvalidInput([{ field: 'from', message: 'expected a time before "to"' }]);
  }
  const tools = await database.inWorkspace(workspaceId, (trx) =>
    createToolAnalytics(trx).countToolCalls({ ...query, from, to }),
  );
  return { from, to, tools };
}
