/** What Ctrl-C does: the first one cancels the turn, the next one leaves; without a turn it leaves. */
export interface Interrupts {
  press: () => void;
  /** A turn is being started: from now on Ctrl-C is meant for it. */
  begin(): void;
  /** The turn has an id and can be cancelled. */
  started(turnId: string): void;
  end(): void;
}

interface InterruptActions {
  cancel: (turnId: string) => void;
  leave: (turnId: string | undefined) => void;
}

/** Counts the presses of one turn at a time. */
export function createInterrupts({ cancel, leave }: InterruptActions): Interrupts {
  let turn: { id?: string; presses: number } | undefined;
  return {
    press: () => {
      if (turn === undefined || turn.presses > 0) {
        leave(turn?.id);
        return;
      }
      turn.presses += 1;
      if (turn.id !== undefined) cancel(turn.id);
    },
    begin: () => {
      turn = { presses: 0 };
    },
    started: (turnId) => {
      if (turn === undefined) return;
      turn.id = turnId;
      // Pressed while the start was under way.
      if (turn.presses > 0) cancel(turnId);
    },
    end: () => {
      turn = undefined;
    },
  };
}
