import type { AgentTurnInput } from '../../../contract/turn-steps.ts';

/** Starts turns, with a workflow or without one. */
export interface TurnStarter {
  /** Starts a stored turn. */
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Starts the workflow of a stored turn, unless it is started already. */
  startWorkflow: (input: AgentTurnInput) => Promise<void>;
  /** Lets `take` run the turns that need no workflow. */
  offerTo: (take: (input: AgentTurnInput) => Promise<void> | void) => void;
}

/** Creates a starter that starts a workflow for each turn, until `offerTo` was called. */
export function createTurnStarter(startWorkflow: TurnStarter['startWorkflow']): TurnStarter {
  let offer: Parameters<TurnStarter['offerTo']>[0] = startWorkflow;
  return {
    startWorkflow,
    startTurn: async (input) => {
      await (input.isUnowned ? offer(input) : startWorkflow(input));
    },
    offerTo: (take) => {
      offer = take;
    },
  };
}
