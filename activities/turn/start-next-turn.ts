import type { Logger } from 'pino';
import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnEngine } from '../activity-dependencies.ts';

/** Starts a turn that waited in a queue. When that fails the turn stays as it is, and the sweeper starts it. */
export async function startNextTurn(engine: TurnEngine, turn: AgentTurnInput, logger: Logger): Promise<void> {
  try {
    await engine.startTurn(turn);
  } catch (error) {
    logger.warn(
      { turnId: turn.turnId, err: error },
      'a queued turn was not started; the sweeper will start it',
    );
  }
}
