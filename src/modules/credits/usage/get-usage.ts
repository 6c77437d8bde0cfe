import type { Viewer } from '../../../domain/actor.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { createUsageFigures, type UsageRequest } from './usage-figures.ts';
import { toTimeRange, type AskedTimes, type TimeRange } from '../../../domain/time-range.ts';
import type { UsageFigures } from '../../../domain/usage-report.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';

/** Which calls are summed up; without times those of the last 30 days. */
interface UsageQuery extends Omit<UsageRequest, keyof TimeRange | 'offset'>, AskedTimes {
  cursor?: string | undefined;
}

/** A page of sums over the calls of a workspace, and the time that they cover. */
interface UsageReport extends TimeRange {
  usage: UsageFigures[];
  nextCursor: string | null;
}

/** Sums up what the calls that a viewer sees have cost, by group. @throws HoldfastError `INVALID_INPUT` when `from` is not before `to` */
export async function getUsage(
  { database }: CreditDependencies,
  viewer: Viewer,
  { cursor = '0', ...query }: UsageQuery,
): Promise<UsageReport> {
  const range = toTimeRange(query);
  const { limit } = query;
  const offset = Number(cursor);
  const rows = await database.inWorkspace(toRowScope(viewer), (trx) =>
    createUsageFigures(trx, viewer).sumCalls({ ...query, ...range, offset, limit: limit + 1 }),
  );
  const nextCursor = rows.length > limit ? String(offset + limit) : null;
  return { ...range, usage: rows.slice(0, limit), nextCursor };
}
