import type { HoldfastClient, ReceivedEvent, StartTurnRequest, Turn } from '../client/index.ts';
import type { Interrupts } from './interrupts.ts';
import type { TurnPrinter } from './turn-printer.ts';
import { watchWorker, type WorkerWatch } from './watch-worker.ts';

/** How a turn ended. */
export type TurnOutcome = NonNullable<Turn['outcome']>;

/** Shows one turn to a person. */
export interface TurnView {
  client: HoldfastClient;
  interrupts: Interrupts;
  printer: TurnPrinter;
  verbose: boolean;
}

/** Starts a turn, shows it until it is settled, and returns its outcome. */
export async function runTurn(view: TurnView, request: StartTurnRequest): Promise<TurnOutcome> {
  view.interrupts.begin();
  const watch = watchWorker(view.client, view.printer);
  try {
    const turn = await view.client.turns.start(request);
    view.interrupts.started(turn.id);
    return await followTurn(view, turn.id, watch);
  } finally {
    watch.stop();
    view.interrupts.end();
  }
}

async function followTurn(view: TurnView, turnId: string, watch: WorkerWatch): Promise<TurnOutcome> {
  const { client, printer } = view;
  const events = client.turns.stream(turnId, {
    // A single short gap is not reported, since the line would interrupt the answer.
    onReconnect: ({ failures }) => {
      if (failures === 2) printer.notice('(connection lost; trying again …)');
    },
  });
  for await (const event of events) {
    watch.heard();
    printer.print(event);
    if (event.type === 'turn.settled') return event.payload.outcome;
    if (view.verbose) await printResult(view, event);
  }
  // The stream ended without `turn.settled`: the turn had been settled before.
  const turn = await client.turns.wait(turnId);
  if (turn.answer !== null) printer.notice(turn.answer);
  return turn.outcome ?? 'failed';
}

async function printResult({ client, printer }: TurnView, event: ReceivedEvent): Promise<void> {
  if (event.type !== 'tool.executed') return;
  const { toolCallId, resultPreview } = event.payload;
  const turn = await client.turns.get(event.turnId).catch(() => undefined);
  const call = turn?.toolCalls.find(({ id }) => id === toolCallId);
  printer.result(call?.result ?? resultPreview);
}
