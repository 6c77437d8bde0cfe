import { createTurnQueue } from '../db/turns/turn-queue.ts';
import { startStoredTurn } from './start-stored-turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/** The most turns that one call starts. */
const mostStarts = 100;

/** Starts turns that wait for a place among the running turns of their workspace, while there are places. */
export async function startWaitingTurns(
  dependencies: Pick<TurnDependencies, 'database' | 'startTurn' | 'notifier' | 'logger'>,
  { workspaceId }: TurnPrincipal,
): Promise<void> {
  for (let started = 0; started < mostStarts; started++) {
    const next = await dependencies.database.pipelined(workspaceId, (query) =>
      createTurnQueue(query).promoteWaitingTurn(),
    );
    if (!next) return;
    dependencies.notifier.events(next.conversationId);
    await startStoredTurn(dependencies, next);
  }
}
