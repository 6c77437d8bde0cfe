import type { TurnStatus } from '../src/domain/turn-status.ts';
import { StepStopped } from '../src/platform/activity/failures.ts';
import type { StepRepositories } from './step-dependencies.ts';

/** The hold of a process on the turn whose steps it runs. Its writes name it, and the row refuses those of any other process. */
export interface TurnHold {
  /** The name of the process, as the row of the turn has it. */
  readonly id: string;
  /** Whether the row has it already. Otherwise the first read of the turn takes the turn. */
  isTaken: boolean;
}

/** A turn as one of its steps reads it. */
interface HeldTurn {
  status: TurnStatus;
  heldBy: string | null;
}

/** Takes the turn with the statements that read it, unless it is taken already. */
export function takeTurn(
  { context }: Pick<StepRepositories, 'context'>,
  turnId: string,
  hold: TurnHold | undefined,
): Promise<void> | null {
  return hold && !hold.isTaken ? context.hold(turnId, hold.id) : null;
}

/**
 * Notes that the turn was taken when it was read.
 * @throws StepStopped `lost` when another process holds it
 */
export function noteTaken(hold: TurnHold | undefined, turn: HeldTurn): void {
  if (hold) hold.isTaken = true;
  throwIfLost(hold, turn);
}

/** @throws StepStopped `lost` when a running turn is held by another process than the one that makes a step of it */
export function throwIfLost(hold: TurnHold | undefined, { status, heldBy }: HeldTurn): void {
  if (hold && status === 'running' && heldBy !== hold.id) throw new StepStopped('lost');
}
