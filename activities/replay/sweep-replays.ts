import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** How long nothing may happen to a replay until its workflow is started or woken, in milliseconds. */
const silentMs = 20_000;

/** Starts the workflows of replays that are not there: a start has failed, or Temporal has lost them. */
export function sweepReplays(
  { replays: { sweep, startReplay } }: Pick<ActivityDependencies, 'replays'>,
  run: SweepRun,
): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => sweep.takeSilent({ graceMs: silentMs, limit: sweepGroupSize }),
      toId: ({ replayId }) => replayId,
      sweepRow: startReplay,
      markSwept: sweep.markSwept,
    },
    run,
  );
}
