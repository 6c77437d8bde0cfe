import type { ActivityDependencies } from '../activity-dependencies.ts';

/** How long nothing may happen to a replay until its workflow is started or woken, in milliseconds. */
const silentMs = 60_000;
const replaysPerSweep = 50;

/** Starts the workflows of replays that are not there: a start has failed, or Temporal has lost them. */
export async function sweepReplays({
  replays: { sweep, startReplay },
  logger,
}: Pick<ActivityDependencies, 'replays' | 'logger'>): Promise<void> {
  for (const replay of await sweep.takeSilent({ graceMs: silentMs, limit: replaysPerSweep })) {
    await startReplay(replay).catch((error: unknown) =>
      logger.error({ err: error, replayId: replay.replayId }, 'a replay could not be swept'),
    );
  }
}
