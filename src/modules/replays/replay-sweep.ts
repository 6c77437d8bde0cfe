import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { ReplaySweepRepository } from './replay-sweep-repository.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

/** How long nothing may happen to a replay until its workflow is started or woken, in milliseconds. */
const silentMs = 20_000;

interface ReplaySweepParts extends Pick<ReplayDependencies, 'startReplay'> {
  sweep: ReplaySweepRepository;
}

/** Starts the workflows of replays that are not there: a start has failed, or Temporal has lost them. */
export function sweepReplays({ sweep, startReplay }: ReplaySweepParts, run: SweepRun): Promise<SweepCounts> {
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
