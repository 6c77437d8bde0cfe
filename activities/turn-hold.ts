import type { TurnStatus } from '../src/domain/turn-status.ts';

/** The hold of a process on the turn whose steps it runs. Its writes name it, and the row refuses those of any other process. */
export interface TurnHold {
  /** The name of the process, as the row of the turn has it. */
  readonly id: string;
  /** Whether the row has it already. Otherwise the first read of the turn takes the turn. */
  isTaken: boolean;
}

/** Returns whether a running turn is held by another process than the one that makes a step of it. */
export function isLost(
  hold: Pick<TurnHold, 'id'> | undefined,
  { status, heldBy }: { status: TurnStatus; heldBy: string | null },
): boolean {
  return hold !== undefined && status === 'running' && heldBy !== hold.id;
}
