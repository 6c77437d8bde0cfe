import type { AgentTurnInput } from '../../../contract/turn-steps.ts';

/** Starts a stored turn. */
type StartTurn = (input: AgentTurnInput) => Promise<void>;

/** Starts turns, with a workflow or without one. */
export interface TurnStarter {
  startTurn: StartTurn;
  /** Lets `take` run the turns that need no workflow. */
  offerTo: (take: StartTurn) => void;
}

/** Creates a starter that starts a workflow for each turn, until `offerTo` was called. */
export function createTurnStarter(startWorkflow: StartTurn): TurnStarter {
  let offer = startWorkflow;
  return {
    startTurn: (input) => (input.isUnowned ? offer(input) : startWorkflow(input)),
    offerTo: (take) => {
      offer = take;
    },
  };
}
