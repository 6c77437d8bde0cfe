/** Handles Ctrl-C: the first press cancels the turn, the next one leaves the chat. Without a turn it leaves at once. */
export interface Interrupts {
  press: () => void;
  /** Called before a turn is started: from now on Ctrl-C cancels that turn. */
  begin(): void;
  /** Called when the turn has an id and can be cancelled. */
  started(turnId: string): void;
  end(): void;
}

interface InterruptActions {
  cancel: (turnId: string) => void;
  leave: (turnId: string | undefined) => void;
}

/** Creates the handler, which counts the presses for one turn at a time. */
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
      // Ctrl-C was pressed while the turn was being started.
      if (turn.presses > 0) cancel(turnId);
    },
    end: () => {
      turn = undefined;
    },
  };
}
