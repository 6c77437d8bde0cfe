import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { isTemporalOutage } from '../../platform/lib/temporal-outage.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

/** Starts the workflow of a stored turn. When that fails the turn stays stored, and the sweeper starts it. */
export async function startStoredTurn(
  { startTurn, logger }: Pick<TurnDependencies, 'startTurn' | 'logger'>,
  start: AgentTurnInput,
): Promise<void> {
  try {
    await startTurn(start);
  } catch (error) {
    // An outage is one line of the log already, however many turns wait for its end.
    const level = isTemporalOutage(error) ? 'debug' : 'warn';
    logger[level](
      { err: error, turnId: start.turnId },
      'the turn is stored, but not started; the sweeper will start it',
    );
  }
}
