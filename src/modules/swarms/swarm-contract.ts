import type { SubtaskStatus, SwarmStatus } from '../../domain/swarm.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';

/** Names a swarm in its workspace. */
export interface SwarmRef {
  workspaceId: string;
  swarmId: string;
}

/** The id of the workflow of a swarm. */
export function toSwarmWorkflowId({ swarmId }: Pick<SwarmRef, 'swarmId'>): string {
  return `swarm-${swarmId}`;
}

/** The signal that notifies the workflow of a swarm of a change of its stored state. It has no arguments. */
export const swarmSignal = 'swarmWoken';

/** The input of `swarm`. */
export interface SwarmWorkflowInput extends SwarmRef {
  /** After so many turns the workflow continues as new. @default 400 */
  turnsPerRun?: number;
}

/** The input of `advanceSwarm`; `step` names one step of one run, so that a repeated attempt finds what it has stored. */
export interface AdvanceSwarmInput extends SwarmRef {
  step: string;
}

/** How far a swarm is: for the query, and for the Web UI. */
export interface SwarmProgress {
  goal: string;
  status: SwarmStatus;
  reason: string | null;
  /** The numbers of subtasks by status. */
  subtasks: Partial<Record<SubtaskStatus, number>>;
  /** Some of the subtasks that run. */
  running: string[];
  /** Some of the subtasks that failed. */
  failed: string[];
  leaderRuns: boolean;
  turnsUsed: number;
  turnsLeft: number;
}

/** The result of `advanceSwarm`. */
export interface AdvanceSwarmResult {
  /** The turns that this step has stored, whose workflows are to be started. */
  starts: AgentTurnInput[];
  /** The number of turns that have not ended, `starts` among them. */
  open: number;
  /** When the time of the swarm is over, in epoch milliseconds. */
  deadlineAt: number;
  hasEnded: boolean;
  /** Whether another step has to follow at once: a subtask could not begin. */
  again: boolean;
  progress: SwarmProgress;
}

/** The status of a swarm after a change. */
export interface SwarmStatusResult {
  status: SwarmStatus;
}

/** A change of a swarm for people who work with Temporal alone. The values are those of the API, and are checked when stored. */
export interface ChangeSwarmInput extends SwarmRef {
  command: 'update' | 'end' | 'pause' | 'resume';
  /** The body of the request to the API. */
  body: unknown;
  /** Names the change, so that it is applied once. */
  key: string;
}

/** The activities of the workflow of a swarm. */
export interface SwarmSteps {
  /** Notes what has happened, decides what follows and stores the turns that begin. */
  advanceSwarm: (input: AdvanceSwarmInput) => Promise<AdvanceSwarmResult>;
  /** Applies a change that a person has sent to the workflow. */
  changeSwarm: (input: ChangeSwarmInput) => Promise<SwarmStatusResult>;
}
