import type { StoredSubtask } from '../db/swarms/subtask-rows.ts';
import type { SwarmRow } from '../db/swarms/swarm-rows.ts';
import type { OpenSwarmTurn } from '../db/swarms/swarm-turn-repository.ts';
import type { SwarmBudget } from './swarm-budget.ts';

/** The state of a swarm within a step. */
export interface SwarmStepState {
  row: SwarmRow;
  /** The ids of the swarm and of those above. */
  swarmIds: string[];
  budget: SwarmBudget;
  /** The reason why a budget lets nothing more run; null while none does. */
  overBudget: string | null;
  subtasks: StoredSubtask[];
  /** The turns that are not over. */
  open: OpenSwarmTurn[];
}
