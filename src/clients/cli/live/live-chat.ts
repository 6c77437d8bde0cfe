import { HoldfastApiError } from '../../client/index.ts';
import type { CommandServices } from '../command-table.ts';
import { describeError } from '../describe-error.ts';
import { createTurnPrinter } from '../turn-printer.ts';
import { createAskedActions } from './asked-actions.ts';
import { openLiveInput, type LiveInput } from './live-input.ts';
import { createLiveTurns, type LiveTurns } from './live-turns.ts';

interface LiveChat {
  conversationId: string;
  title: string;
  verbose: boolean;
}

const help =
  'Lines that you send while a turn runs steer it; /now LINE ends the model call for one, and /queue LINE keeps one for the ' +
  'next turn. Esc stops the turn, Ctrl-D leaves.';

/** Lets a person talk to an agent at a terminal: messages, approvals and answers, also while a turn runs. */
export async function runLiveChat(services: CommandServices, chat: LiveChat): Promise<number> {
  const { client, baseUrl } = services;
  const input = openLiveInput(services.context, {
    escape: () => void stop(services, { turns, input }),
    interrupt: () => void stopOrLeave(services, { turns, input }),
    isRunning: () => turns.isBusy(),
  });
  const { terminal } = input;
  const printError = (error: unknown) => {
    for (const line of describeError(error, baseUrl)) terminal.line(terminal.style('red', line));
  };
  const asked = createAskedActions({ client, input });
  const turns: LiveTurns = createLiveTurns({
    client,
    createPrinter: () => createTurnPrinter(terminal, { verbose: chat.verbose, isLive: true }),
    onWait: asked.look,
    onIdle: () => input.prompt(),
    onError: printError,
  });
  terminal.line(`${chat.title} · conversation ${chat.conversationId}`);
  terminal.line(terminal.style('dim', help));
  input.prompt();
  for await (const line of input.lines()) {
    if (!(await asked.take(line).catch(printError))) await sendLine(turns, chat, line);
    if (!turns.isBusy()) input.prompt();
  }
  terminal.line();
  return 0;
}

async function sendLine(turns: LiveTurns, { conversationId }: LiveChat, line: string): Promise<void> {
  const [, command, rest] = /^\/(now|queue)\s+(.*)$/.exec(line) ?? [];
  const message = (rest ?? line).trim();
  if (message === '') return;
  const onBusy = command === 'queue' ? 'enqueue' : 'steer';
  await turns.send({ conversationId, message, onBusy, ...(command === 'now' && { now: true }) });
}

interface Running {
  turns: LiveTurns;
  input: LiveInput;
}

async function stop({ client }: CommandServices, { turns, input: { terminal } }: Running): Promise<void> {
  const turnId = turns.running();
  if (turnId === undefined) return;
  terminal.line(terminal.style('dim', '(stopping …)'));
  try {
    await client.turns.cancel(turnId);
  } catch (error) {
    // The turn may have ended in the meantime.
    if (error instanceof HoldfastApiError && error.code === 'TURN_SETTLED') return;
    for (const line of describeError(error)) terminal.line(line);
  }
}

/** Ctrl-C stops the turn; without one it leaves. */
async function stopOrLeave(services: CommandServices, running: Running): Promise<void> {
  if (running.turns.running() === undefined) running.input.close();
  else await stop(services, running);
}
