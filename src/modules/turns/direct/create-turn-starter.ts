import type { AgentTurnInput } from '../../../contract/turn-steps.ts';

/** Starts turns, with a workflow or without one. */
export interface TurnStarter {
  /** Starts a stored turn. */
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Lets `take` run the turns that need no workflow. */
  offerTo: (take: (input: AgentTurnInput) => Promise<void> | void) => void;
}

/** Creates a starter that starts a workflow for each turn, until `offerTo` was called. */
export function createTurnStarter(startWorkflow: TurnStarter['startTurn']): TurnStarter {
  let offer: Parameters<TurnStarter['offerTo']>[0] = startWorkflow;
  return {
    startTurn: async (input) => {
      await (input.isUnowned ? offer(input) : startWorkflow(input));
    },
    offerTo: (take) => {
      offer = take;
    },
  };
}
