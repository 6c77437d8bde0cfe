import { createToolAnalytics, type AnalyticsRequest } from './tool-analytics.ts';
import type { ToolFigures } from '../../domain/analytics.ts';
import type { Viewer } from '../../domain/actor.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { toTimeRange, type AskedTimes, type TimeRange } from '../../domain/time-range.ts';
import type { AuditDependencies } from './audit-dependencies.ts';

/** Which calls are counted; without times those of the last 30 days. */
type AnalyticsQuery = Omit<AnalyticsRequest, keyof TimeRange> & AskedTimes;

/** The figures of the tool calls of a workspace, and the time that they cover. */
interface ToolAnalytics extends TimeRange {
  tools: ToolFigures[];
}

/** Counts the tool calls that a viewer sees, by group. @throws HoldfastError `INVALID_INPUT` when `from` is not before `to` */
export async function getToolAnalytics(
  { database }: Pick<AuditDependencies, 'database'>,
  viewer: Viewer,
  query: AnalyticsQuery,
): Promise<ToolAnalytics> {
  const range = toTimeRange(query);
  const tools = await database.inWorkspace(toRowScope(viewer), (trx) =>
    createToolAnalytics(trx).countToolCalls({ ...query, ...range }),
  );
  return { ...range, tools };
}
