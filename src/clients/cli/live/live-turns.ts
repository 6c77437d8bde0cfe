import type { HoldfastClient, ReceivedEvent, StartTurnRequest } from '../../client/index.ts';
import type { TurnPrinter } from '../turn-printer.ts';
import { watchWorker } from '../watch-worker.ts';

/** How long a turn has no event before the turns below it are checked for pending actions, in milliseconds. */
const silentMs = 2_000;

interface LiveTurnOptions {
  client: HoldfastClient;
  createPrinter: () => TurnPrinter;
  /** Called when a turn, or one below it, may wait for a person or a program. */
  onWait: (turnId: string) => Promise<void>;
  /** Called when no turn runs any more. */
  onIdle: () => void;
  onError: (error: unknown) => void;
}

/** The turns of a chat. Messages may be sent while one runs. */
export interface LiveTurns {
  /** Sends a message, and shows its turn once the turns before it have ended. */
  send(request: Omit<StartTurnRequest, 'idempotencyKey'>): Promise<void>;
  /** Returns the id of the turn that is shown; undefined when none is. */
  running(): string | undefined;
  /** Whether a turn is shown or about to be. */
  isBusy(): boolean;
  /** Resolves once no turn is shown. */
  ended(): Promise<void>;
}

/** Shows the turns of one conversation in the order in which they were sent. */
export function createLiveTurns(options: LiveTurnOptions): LiveTurns {
  const { client, onIdle, onError } = options;
  let shown: string | undefined;
  let count = 0;
  let last = Promise.resolve();

  function show(turnId: string): void {
    last = last
      .then(async () => {
        shown = turnId;
        await followTurn(options, turnId);
      })
      .catch(onError)
      .finally(() => {
        shown = undefined;
        count -= 1;
        if (count === 0) onIdle();
      });
  }

  return {
    send: async (request) => {
      count += 1;
      try {
        show((await client.turns.start(request)).id);
      } catch (error) {
        count -= 1;
        onError(error);
        if (count === 0) onIdle();
      }
    },
    running: () => shown,
    isBusy: () => count > 0,
    ended: () => last,
  };
}

async function followTurn(
  { client, createPrinter, onWait, onError }: LiveTurnOptions,
  turnId: string,
): Promise<void> {
  const printer = createPrinter();
  const watch = watchWorker(client, printer);
  const look = () => void onWait(turnId).catch(onError);
  // A turn below that waits sends no event to this conversation.
  const timer = setInterval(look, silentMs);
  try {
    for await (const event of client.turns.stream(turnId)) {
      watch.heard();
      printer.print(event);
      if (event.type === 'turn.settled') return;
      if (changesWaiting(event)) look();
    }
  } finally {
    clearInterval(timer);
    watch.stop();
  }
}

function changesWaiting({ type }: ReceivedEvent): boolean {
  return type.startsWith('action.');
}
