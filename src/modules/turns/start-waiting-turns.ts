import { createTurnQueue } from './messages/turn-queue.ts';
import { startStoredTurn } from './start-stored-turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/** The maximum number of turns that one call starts. */
const mostStarts = 100;

/** Starts turns that wait for a place among the running turns of their workspace, while there are places. */
export async function startWaitingTurns(
  dependencies: Pick<TurnDependencies, 'database' | 'startTurn' | 'notifier' | 'logger'>,
  { workspaceId }: TurnPrincipal,
): Promise<void> {
  const starts: Promise<void>[] = [];
  while (starts.length < mostStarts) {
    const next = await dependencies.database.pipelined(workspaceId, (query) =>
      createTurnQueue(query).promoteWaitingTurn(),
    );
    if (!next) break;
    dependencies.notifier.events(next.conversationId);
    starts.push(startStoredTurn(dependencies, next));
  }
  await Promise.all(starts);
}
