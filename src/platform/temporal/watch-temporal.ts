import type { DependencyState } from '../lib/dependency-state.ts';
import { isTemporalOutage } from '../lib/temporal-outage.ts';

/** Returns a request to Temporal that also reports to `state` when Temporal becomes unreachable and when it is back. */
export function watchTemporal<Arguments extends unknown[], Result>(
  request: (...requestArguments: Arguments) => Promise<Result>,
  state: DependencyState,
): (...requestArguments: Arguments) => Promise<Result> {
  return async (...requestArguments) => {
    try {
      const result = await request(...requestArguments);
      state.recovered();
      return result;
    } catch (error) {
      if (isTemporalOutage(error)) state.failed(error);
      throw error;
    }
  };
}
