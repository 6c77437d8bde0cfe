import { createUsageFigures, type UsageRequest } from '../db/credits/usage-figures.ts';
import { createInvalidInput } from '../domain/errors.ts';
import type { UsageFigures } from '../domain/usage-report.ts';
import type { CreditDependencies } from './credit-dependencies.ts';

const defaultSpanMs = 30 * 24 * 60 * 60 * 1000;

/** Which calls are summed up; without times those of the last 30 days. */
interface UsageQuery extends Omit<UsageRequest, 'from' | 'to' | 'offset'> {
  from?: string | undefined;
  to?: string | undefined;
  cursor?: number | undefined;
}

/** A page of sums over the calls of a workspace, and the time that they cover. */
interface UsageReport {
  from: string;
  to: string;
  usage: UsageFigures[];
  nextCursor: string | null;
}

/** Sums up what calls have cost, by group. @throws HoldfastError `INVALID_INPUT` when `from` is not before `to` */
export async function getUsage(
  { database }: CreditDependencies,
  { workspaceId }: { workspaceId: string },
  { cursor: offset = 0, ...query }: UsageQuery,
): Promise<UsageReport> {
  const to = query.to ?? new Date().toISOString();
  const from = query.from ?? new Date(Date.parse(to) - defaultSpanMs).toISOString();
  if (Date.parse(from) >= Date.parse(to)) {
    throw createInvalidInput([{ field: 'from', message: 'expected a time before "to"' }]);
  }
  const { limit } = query;
  const rows = await database.inWorkspace(workspaceId, (trx) =>
    createUsageFigures(trx).sumCalls({ ...query, from, to, offset, limit: limit + 1 }),
  );
  const nextCursor = rows.length > limit ? String(offset + limit) : null;
  return { from, to, usage: rows.slice(0, limit), nextCursor };
}
