import { createTurnSteps } from './activities.ts';
import type { AgentTurnInput } from '../src/contract/turn-steps.ts';
import type { TurnProgress } from './messages.ts';
import { startClock, type TurnClock } from './turn-clock.ts';
import { createTurnDetails } from './turn-details.ts';

/** A turn while its workflow runs. */
export interface RunningTurn extends TurnClock {
  input: AgentTurnInput;
  steps: ReturnType<typeof createTurnSteps>;
  details: ReturnType<typeof createTurnDetails>;
  progress: TurnProgress;
  /** The actions that were decided and not yet looked at. */
  decided: Set<string>;
  /** The turns below that have begun to wait for people, or continue. */
  changed: Set<string>;
}

/** Starts the clock of a turn. */
export function createTurn(input: AgentTurnInput): RunningTurn {
  return {
    ...startClock(input),
    input,
    steps: createTurnSteps(),
    details: createTurnDetails(input),
    progress: { iteration: 0, step: 'model' },
    decided: new Set(input.paused?.decided),
    changed: new Set(),
  };
}
