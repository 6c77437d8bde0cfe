import type { Viewer } from '../../../domain/actor.ts';
import type { TurnFigures } from '../../../domain/analytics.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { toTimeRange, type AskedTimes, type TimeRange } from '../../../domain/time-range.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { createTurnFigures, type TurnFiguresRequest } from './turn-figures.ts';

/** Which turns are counted; without times those of the last 30 days. */
type AnalyticsQuery = Omit<TurnFiguresRequest, keyof TimeRange> & AskedTimes;

/** The figures of turns, and the time that they cover. */
interface TurnAnalytics extends TimeRange {
  turns: TurnFigures[];
}

/**
 * Counts the turns that a viewer sees, by group.
 * @throws HoldfastError `INVALID_INPUT` when `from` is not before `to`
 */
export async function getTurnAnalytics(
  { database }: { database: Pick<Database, 'inWorkspace'> },
  viewer: Viewer,
  query: AnalyticsQuery,
): Promise<TurnAnalytics> {
  const range = toTimeRange(query);
  const turns = await database.inWorkspace(toRowScope(viewer), (trx) =>
    createTurnFigures(trx).countTurns({ ...query, ...range }),
  );
  return { ...range, turns };
}
