import { condition } from '@temporalio/workflow';
import type { StopMode } from '../routine-contract.ts';
import { RoutineStopped } from './ground.ts';

/** The commands to a run, and whether it is about to continue as new. */
export interface RoutineControl {
  isPaused: boolean;
  stop: StopMode | null;
  /** True when no further step begins, since the workflow continues as new. */
  isHalting: boolean;
  /** How many operations run that must end before the workflow continues as new. */
  busy: number;
  /** How often events were emitted. */
  wakes: number;
  /** The actions that were decided, and the runs and turns below that have changed. */
  changed: Set<string>;
}

/** Creates the control of a run. */
export function createControl(isPaused: boolean): RoutineControl {
  return { isPaused, stop: null, isHalting: false, busy: 0, wakes: 0, changed: new Set() };
}

/** Waits while a run is paused or about to continue as new. @throws RoutineStopped */
export async function passGate(control: RoutineControl): Promise<void> {
  const isOpen = () => control.stop !== null || (!control.isHalting && !control.isPaused);
  if (!isOpen()) await condition(isOpen);
  if (control.stop !== null) throw new RoutineStopped('The run was stopped.');
}

/** Waits while the workflow is about to continue as new; then nothing else comes. */
export async function passHalt(control: RoutineControl): Promise<void> {
  if (control.isHalting) await condition(() => !control.isHalting);
}

/** Runs an operation that must end before the workflow continues as new. */
export async function keepBusy<Result>(control: RoutineControl, run: () => Promise<Result>): Promise<Result> {
  control.busy += 1;
  try {
    return await run();
  } finally {
    control.busy -= 1;
  }
}

/** Waits until something has happened, for so long at most. @throws RoutineStopped */
export async function waitFor(
  control: RoutineControl,
  hasHappened: () => boolean,
  waitMs: number,
): Promise<void> {
  await condition(() => control.stop !== null || hasHappened(), Math.max(1, Math.round(waitMs)));
  await passHalt(control);
  if (control.stop !== null && !hasHappened()) throw new RoutineStopped('The run was stopped.');
}
