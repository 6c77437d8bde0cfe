import type { Step } from './queries.ts';

/** What a run has done with a task. */
export interface TaskState {
  state: Step['state'];
  /** How often it began. */
  rounds: number;
  /** The number of its newest step. */
  step: number;
  /** How long the newest step took, in milliseconds; null until it has ended. */
  durationMs: number | null;
}

/** Sums up the steps of a run by the paths of their tasks. A task is open while one of its steps is. */
export function toTaskStates(steps: readonly Step[]): ReadonlyMap<string, TaskState> {
  const byPath = Map.groupBy(steps, ({ path }) => path);
  return new Map([...byPath].map(([path, ofTask]) => [path, toState(ofTask)]));
}

function toState(steps: readonly Step[]): TaskState {
  const isOpen = ({ state }: Step) => state === 'running' || state === 'waiting';
  const shown = steps.findLast(isOpen) ?? steps.at(-1);
  if (!shown) throw new Error('A task without steps has no state.');
  const { state, number: step, startedAt, endedAt } = shown;
  const durationMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return { state, rounds: steps.length, step, durationMs };
}
