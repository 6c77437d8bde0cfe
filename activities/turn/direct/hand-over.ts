import type { Logger } from 'pino';
import type { AgentTurnInput } from '../../../src/contract/turn-steps.ts';
import type { DirectTurnRepository } from '../../../src/modules/turns/direct/direct-turn-repository.ts';

interface HandOverOptions {
  repository: Pick<DirectTurnRepository, 'release'>;
  /** Starts the workflow of a turn, unless it is started already. */
  startWorkflow: (input: AgentTurnInput) => Promise<void>;
  logger: Pick<Logger, 'warn'>;
}

/** Starts workflows for turns that a worker owns. A turn stays the worker's own until its workflow has started. */
export function createHandOver({ repository, startWorkflow, logger }: HandOverOptions) {
  const unstarted = new Map<string, AgentTurnInput>();

  async function handOver(input: AgentTurnInput): Promise<void> {
    const { turnId } = input;
    unstarted.set(turnId, input);
    try {
      await startWorkflow(input);
      await repository.release(turnId);
      unstarted.delete(turnId);
    } catch (error) {
      logger.warn({ err: error, turnId }, 'a turn has no workflow yet; the start is repeated');
    }
  }

  return {
    /** Starts a workflow. When that fails, `repeat` has to be called. */
    handOver,
    /** Repeats the starts that have failed. */
    repeat: () => Promise.all([...unstarted.values()].map(handOver)),
    /** Lists the turns whose workflow has not started. */
    listUnstarted: (): string[] => [...unstarted.keys()],
  };
}
