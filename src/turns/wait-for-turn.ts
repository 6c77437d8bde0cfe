import { createTurnRepository } from '../db/turns/turn-repository.ts';
import { defaultLimits } from '../domain/limits.ts';
import type { Turn, TurnDetails } from '../domain/turn.ts';
import { createBell } from './follow/bell.ts';
import type { RouteContext } from '../http/server/route.ts';

type WaitContext = Pick<
  RouteContext<unknown, unknown, unknown, unknown>,
  'inWorkspace' | 'dependencies' | 'openSignal'
>;

/**
 * Waits until a turn is over, or until its deadline, or until the client leaves or the server stops.
 * A queued turn has no deadline yet and is waited for as long as a turn takes by default.
 */
export async function waitForTurn(context: WaitContext, { id, conversationId }: Turn): Promise<TurnDetails> {
  const { wakeups, timings } = context.dependencies;
  const signal = context.openSignal();
  const bell = createBell(signal);
  const stopListening = wakeups.onEvents(conversationId, bell.ring);
  const queuedUntil = Date.now() + defaultLimits.turnTimeoutMs;
  try {
    for (;;) {
      const turn = await context.inWorkspace((trx) => createTurnRepository(trx).findTurn(id));
      const until = turn?.deadlineAt ? Date.parse(turn.deadlineAt) : queuedUntil;
      const restMs = until - Date.now();
      if (!turn || turn.outcome !== null || signal.aborted || restMs <= 0) break;
      await bell.wait(Math.min(timings?.pollMs ?? 1000, restMs));
    }
  } finally {
    stopListening();
  }
  return context.inWorkspace((trx) => createTurnRepository(trx).getTurnDetails(id));
}
