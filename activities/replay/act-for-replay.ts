import type { Actor } from '../../src/domain/actor.ts';
import type { MadeReplay } from '../../src/modules/replays/replay-rows.ts';
import { actAgain } from '../../src/modules/workspaces/stored-actor.ts';
import type { LiveAccess, ReplayStepDependencies } from './replay-services.ts';

interface ActingReplay extends Pick<MadeReplay, 'name' | 'makers'> {
  workspaceId: string;
}

/**
 * Returns as whom a replay acts now: with the stricter of the rights of its makers, and what all of them see.
 * @throws HoldfastError `RIGHTS_LOST` when one of them may no longer do so
 */
export function actForReplay(
  { turnDependencies: { database } }: Pick<ReplayStepDependencies, 'turnDependencies'>,
  { workspaceId, name, makers }: ActingReplay,
  right: 'replays.run' | 'replays.live',
): Promise<Actor> {
  const acting = { workspaceId, makers, rights: [right], work: `the replay ${name}` };
  return database.pipelined(workspaceId, (query) => actAgain(query, acting));
}

/** Checks once a chunk, before its first live call, that the makers of the replay may still make it. */
export function createLiveAccess(dependencies: ReplayStepDependencies, replay: ActingReplay): LiveAccess {
  const { getVersion, transact } = dependencies;
  let asked: Promise<Actor> | null = null;
  const authorize = () => (asked ??= actForReplay(dependencies, replay, 'replays.live'));
  return { getVersion, transact, authorize };
}
