import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

/** Starts the workflow of a stored turn. When that fails the turn stays stored, and the sweeper starts it. */
export async function startStoredTurn(
  { startTurn, logger }: Pick<TurnDependencies, 'startTurn' | 'logger'>,
  start: AgentTurnInput,
): Promise<void> {
  try {
    await startTurn(start);
  } catch (error) {
    // Without a stack: while Temporal is away, this line comes once for each turn.
    logger.warn(
      { reason: error instanceof Error ? error.message : String(error), turnId: start.turnId },
      'the turn is stored, but not started; the sweeper will start it',
    );
  }
}
