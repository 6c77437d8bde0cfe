import type { Logger } from 'pino';
import type { AgentTurnInput } from '../../../src/contract/turn-steps.ts';
import type { DirectTurnRepository } from '../../../src/modules/turns/direct/direct-turn-repository.ts';
import { isTemporalOutage } from '../../../src/platform/lib/temporal-outage.ts';

interface HandOverOptions {
  repository: Pick<DirectTurnRepository, 'release'>;
  /** Starts the workflow of a turn, unless it is started already. */
  startWorkflow: (input: AgentTurnInput) => Promise<void>;
  logger: Pick<Logger, 'warn' | 'debug'>;
}

/** Starts workflows for turns that a worker owns. A turn stays the worker's own until its workflow has started. */
export function createHandOver({ repository, startWorkflow, logger }: HandOverOptions) {
  const unstarted = new Map<string, { input: AgentTurnInput; isStarting: boolean }>();

  async function handOver(input: AgentTurnInput): Promise<void> {
    const { turnId } = input;
    const turn = { input, isStarting: true };
    unstarted.set(turnId, turn);
    try {
      await startWorkflow(input);
      await repository.release(turnId);
      unstarted.delete(turnId);
    } catch (error) {
      turn.isStarting = false;
      // An outage is one line of the log already, however many turns wait for its end.
      const level = isTemporalOutage(error) ? 'debug' : 'warn';
      logger[level]({ err: error, turnId }, 'a turn has no workflow yet; its start is repeated');
    }
  }

  return {
    /** Starts a workflow. When that fails, `repeat` has to be called. */
    handOver,
    /** Repeats the starts that have failed, without waiting for their results. */
    repeat: (): void => {
      for (const { input, isStarting } of unstarted.values()) if (!isStarting) void handOver(input);
    },
    /** Lists the turns whose workflow has not started. */
    listUnstarted: (): string[] => [...unstarted.keys()],
  };
}
