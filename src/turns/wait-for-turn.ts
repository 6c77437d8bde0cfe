import { createTurnRepository } from '../db/turns/turn-repository.ts';
import { defaultLimits } from '../domain/limits.ts';
import type { Turn, TurnDetails } from '../domain/turn.ts';
import { createBell } from './follow/bell.ts';
import { readTurn } from './read-turn.ts';
import { defaultTimings, type TurnDependencies, type TurnPrincipal } from './turn-dependencies.ts';

/** A turn that is waited for until `signal` aborts. */
interface TurnWait {
  turn: Pick<Turn, 'id' | 'conversationId'>;
  signal: AbortSignal;
}

/**
 * Waits until a turn is over, its deadline has passed or the signal aborts, and reads it then. A queued turn has no
 * deadline yet and is waited for as long as a turn takes by default.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function waitForTurn(
  dependencies: Pick<TurnDependencies, 'database' | 'wakeups' | 'timings'>,
  principal: TurnPrincipal,
  { turn: { id, conversationId }, signal }: TurnWait,
): Promise<TurnDetails> {
  const { database, wakeups, timings } = dependencies;
  const { pollMs } = { ...defaultTimings, ...timings };
  const bell = createBell(signal);
  const stopListening = wakeups.onEvents(conversationId, bell.ring);
  const queuedUntil = Date.now() + defaultLimits.turnTimeoutMs;
  try {
    for (;;) {
      const turn = await database.pipelined(principal.workspaceId, (query) =>
        createTurnRepository(query).getTurn(id),
      );
      const until = turn.deadlineAt ? Date.parse(turn.deadlineAt) : queuedUntil;
      const restMs = until - Date.now();
      if (turn.outcome !== null || signal.aborted || restMs <= 0) break;
      await bell.wait(wakeups.isListening() ? restMs : Math.min(pollMs, restMs));
    }
  } finally {
    stopListening();
  }
  return readTurn(dependencies, principal, id);
}
