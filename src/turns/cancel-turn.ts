import { createTurnRepository } from '../db/turns/turn-repository.ts';
import type { Turn } from '../domain/turn.ts';
import type { RouteContext } from '../http/server/route.ts';

type CancelContext = Pick<
  RouteContext<unknown, unknown, unknown, unknown>,
  'inWorkspace' | 'dependencies' | 'log'
>;

/** Notes that a turn should stop, and tells its workflow and the worker that runs its steps. */
export async function cancelTurn(
  { inWorkspace, dependencies, log }: CancelContext,
  id: string,
): Promise<{ turn: Turn; running: boolean }> {
  const cancelled = await inWorkspace((trx) => createTurnRepository(trx).requestCancel(id));
  const { turn, running, stopping } = cancelled;
  if (!running) {
    dependencies.notifier.events(turn.conversationId);
    return cancelled;
  }
  for (const turnId of stopping) dependencies.notifier.stop(turnId);
  try {
    await dependencies.cancelTurn(id);
  } catch (error) {
    log.warn({ err: error, turnId: id }, 'the wish to stop is stored, but the workflow was not told');
  }
  return cancelled;
}
