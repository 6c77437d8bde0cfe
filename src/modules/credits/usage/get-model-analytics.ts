import type { Viewer } from '../../../domain/actor.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { createModelFigures, type ModelFiguresRequest } from './model-figures.ts';
import type { ModelFigures } from '../../../domain/analytics.ts';
import { toTimeRange, type AskedTimes, type TimeRange } from '../../../domain/time-range.ts';
import type { CreditDependencies } from '../credit-dependencies.ts';

/** Which calls are counted; without times those of the last 30 days. */
type AnalyticsQuery = Omit<ModelFiguresRequest, keyof TimeRange> & AskedTimes;

/** The figures of the model calls of a workspace, and the time that they cover. */
interface ModelAnalytics extends TimeRange {
  models: ModelFigures[];
}

/** Counts the model calls that a viewer sees, by group. @throws HoldfastError `INVALID_INPUT` when `from` is not before `to` */
export async function getModelAnalytics(
  { database }: CreditDependencies,
  viewer: Viewer,
  query: AnalyticsQuery,
): Promise<ModelAnalytics> {
  const range = toTimeRange(query);
  const models = await database.inWorkspace(toRowScope(viewer), (trx) =>
    createModelFigures(trx, viewer).countModelCalls({ ...query, ...range }),
  );
  return { ...range, models };
}
