import type { ReplayRef } from './replay-contract.ts';
import { isTemporalOutage } from '../../platform/lib/temporal-outage.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';

/** Starts or wakes the workflow of a stored replay. When that fails the sweeper does it later. */
export async function startStoredReplay(
  { startReplay, logger }: Pick<ReplayDependencies, 'startReplay' | 'logger'>,
  replay: ReplayRef,
): Promise<void> {
  try {
    await startReplay(replay);
  } catch (error) {
    logger[isTemporalOutage(error) ? 'debug' : 'warn'](
      { err: error, replayId: replay.replayId },
      'the replay is stored, but not started; the sweeper will start it',
    );
  }
}
