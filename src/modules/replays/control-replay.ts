import { createReplayRepository } from './replay-repository.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { Replay, ReplayStatus } from '../../domain/replay.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { startStoredReplay } from './start-stored-replay.ts';

/** The commands for a replay that has not ended. */
export type ReplayCommand = 'pause' | 'resume' | 'cancel';

const changes: Record<ReplayCommand, { from: ReplayStatus[]; to: ReplayStatus }> = {
  pause: { from: ['running', 'paused'], to: 'paused' },
  resume: { from: ['paused', 'running'], to: 'running' },
  cancel: { from: ['running', 'paused', 'cancelled'], to: 'cancelled' },
};

/**
 * Pauses, resumes or cancels a replay; runs that have begun end first. The same command again changes nothing.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when the replay has ended
 */
export async function controlReplay(
  dependencies: Pick<ReplayDependencies, 'database' | 'startReplay' | 'logger'>,
  { workspaceId }: { workspaceId: string },
  { replayId, command }: { replayId: string; command: ReplayCommand },
): Promise<Replay> {
  const { from, to } = changes[command];
  const [changed, current] = await dependencies.database.pipelined(workspaceId, (query) => {
    const replays = createReplayRepository(query);
    return Promise.all([replays.setStatus(replayId, from, to), replays.getReplay(replayId)]);
  });
  if (!changed) {
    if (current.status === to) return current;
    throw new HoldfastError(
      'CONFLICT',
      `The replay is ${current.status}, so it cannot be told to ${command}.`,
    );
  }
  await startStoredReplay(dependencies, { workspaceId, replayId });
  return changed;
}
