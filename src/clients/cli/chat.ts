import readline from 'node:readline';
import { HoldfastApiError, type HoldfastClient } from '../client/index.ts';
import type { CommandServices } from './command-table.ts';
import type { CommandContext } from './command-context.ts';
import { describeError } from './describe-error.ts';
import { findAgent } from './find-agent.ts';
import { createInterrupts, type Interrupts } from './interrupts.ts';
import { runLiveChat } from './live/live-chat.ts';
import { createJsonPrinter } from './json-printer.ts';
import { runTurn, type TurnOutcome } from './run-turn.ts';
import { createTurnPrinter } from './turn-printer.ts';

/** The options of `holdfast chat`. */
export interface ChatOptions {
  agent?: string;
  conversation?: string;
  verbose?: boolean;
  json?: boolean;
}

type Send = (message: string) => Promise<TurnOutcome>;

const interruptedExitCode = 130;

/** Runs one turn, or one for each line of the input, and returns the exit code. */
export async function runChat(
  services: CommandServices,
  message: string | undefined,
  options: ChatOptions,
): Promise<number> {
  const { conversationId, title } = await openConversation(services.client, options);
  if (message === undefined && services.context.stdin.isTTY && !options.json)
    return runLiveChat(services, { conversationId, title, verbose: options.verbose ?? false });
  const interrupts = listenToInterrupts(services);
  const send: Send = (text) => {
    const verbose = options.verbose ?? false;
    const printer = options.json
      ? createJsonPrinter(services.terminal)
      : createTurnPrinter(services.terminal, { verbose });
    const view = { client: services.client, interrupts, printer, verbose: verbose && !options.json };
    return runTurn(view, { conversationId, message: text });
  };
  return message === undefined ? readMessages(services.context, send) : toExitCode([await send(message)]);
}

async function openConversation(client: HoldfastClient, options: ChatOptions) {
  if (options.conversation !== undefined) {
    const { id, title } = await client.conversations.get(options.conversation);
    return { conversationId: id, title: title ?? 'Chat' };
  }
  const agent = await findAgent(client, options.agent);
  const { id } = await client.conversations.create({ agentId: agent.id });
  return { conversationId: id, title: `${agent.name} (${agent.model})` };
}

function listenToInterrupts({ client, terminal, context }: CommandServices): Interrupts {
  const interrupts = createInterrupts({
    cancel: (turnId) => {
      terminal.line('Cancelling … (Ctrl-C again leaves)');
      client.turns.cancel(turnId).catch((error: unknown) => {
        // The cancel request fails when the turn has ended in the meantime.
        if (error instanceof HoldfastApiError && error.code === 'TURN_SETTLED') return;
        for (const line of describeError(error)) terminal.line(line);
      });
    },
    leave: (turnId) => {
      if (turnId === undefined) terminal.line();
      else terminal.line(`The turn may still run: npx holdfast turns show ${turnId}`);
      context.exit(interruptedExitCode);
    },
  });
  context.onInterrupt(interrupts.press);
  return interrupts;
}

async function readMessages({ stdin }: CommandContext, send: Send): Promise<number> {
  const outcomes: TurnOutcome[] = [];
  for await (const line of readline.createInterface({ input: stdin })) {
    if (line.trim() !== '') outcomes.push(await send(line));
  }
  return toExitCode(outcomes);
}

function toExitCode(outcomes: TurnOutcome[]): number {
  return outcomes.every((outcome) => outcome === 'completed') ? 0 : 2;
}
