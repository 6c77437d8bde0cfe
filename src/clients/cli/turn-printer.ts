import type { EventPayload, ReceivedEvent } from '../client/index.ts';
import { toErrorLines, toIndented, toUsageLine } from './format.ts';
import type { Terminal } from './terminal.ts';
import { createTextProgress, type NextText } from './text-progress.ts';
import { createToolPrinter, type ToolPrinter } from './tool-printer.ts';
import { toOneLine } from '../../domain/text.ts';

/** Shows one turn as it happens. */
export interface TurnPrinter {
  print(event: ReceivedEvent): void;
  /** Shows the whole result of a tool call, indented. */
  result(text: string): void;
  /** Prints a message that is not part of the answer, on its own line. */
  notice(text: string): void;
}

interface PrinterOptions {
  /** Adds arguments, results and token counts. */
  verbose: boolean;
  /** Leaves out what a chat at a terminal asks for itself. */
  isLive?: boolean;
}

/** Prints to a terminal. */
export function createTurnPrinter(terminal: Terminal, options: PrinterOptions): TurnPrinter {
  const progress = createTextProgress();
  const tools = createToolPrinter(terminal, options);
  let lastText = '';
  const notice = (text: string) => terminal.line(terminal.style('dim', text));

  function printText({ restarted, text }: NextText): void {
    if (restarted) notice('(the answer was interrupted; it starts again)');
    terminal.write(text);
  }

  function printMessage(payload: EventPayload<'message.created'>): void {
    printText(progress.message(payload));
    terminal.freshLine();
    lastText = payload.text;
    tools.remember(payload.toolCalls);
    if (!options.verbose) return;
    notice(`  iteration ${payload.iteration}: ${payload.model}, ${toUsageLine(payload.usage)}`);
  }

  function printAction({ actionId, name, ...action }: EventPayload<'action.requested'>): void {
    const call = `${name} ${JSON.stringify(action.arguments)}`;
    const isApproval = action.kind === 'approval';
    terminal.line(terminal.style('yellow', `? ${call} waits for ${isApproval ? 'a person' : 'an answer'}:`));
    for (const reason of action.askedBecause ?? []) terminal.line(`  asks because ${toOneLine(reason, 300)}`);
    terminal.line(`  npx holdfast actions ${isApproval ? 'approve' : 'answer'} ${actionId}`);
  }

  function printSettled({ outcome, answer, error, usage }: EventPayload<'turn.settled'>): void {
    if (outcome === 'steered') return;
    if (outcome !== 'completed') {
      const [message, ...more] = error ? toErrorLines(error) : [];
      const reason = error ? ` (${error.code}): ${message}` : '';
      terminal.line(terminal.style('yellow', `! ${outcome.replaceAll('_', ' ')}${reason}`));
      for (const line of more) terminal.line(line);
    }
    if (answer !== '' && answer.trim() !== lastText.trim()) terminal.line(answer);
    terminal.freshLine();
    if (options.verbose) notice(`  ${outcome.replaceAll('_', ' ')}: ${toUsageLine(usage)}`);
  }

  function print(event: ReceivedEvent): void {
    if (event.type === 'text.delta') printText(progress.delta(event));
    else if (event.type === 'stream.reset') printText(progress.reset(event));
    else if (event.type === 'turn.queued' || event.type === 'message.queued')
      notice('(waiting for the turn that runs in this conversation)');
    else if (event.type === 'action.requested' && !options.isLive) printAction(event.payload);
    else if (event.type === 'action.granted') notice(`(${event.payload.name} runs by a remembered approval)`);
    else if (event.type === 'action.expired') notice('(nobody decided in time)');
    else if (event.type === 'action.decided') notice(`(${event.payload.status})`);
    else if (event.type === 'message.created') printMessage(event.payload);
    else if (event.type === 'turn.settled') printSettled(event.payload);
    else printToolEvent(tools, event);
  }

  return { print, notice, result: (text) => notice(toIndented(text)) };
}

function printToolEvent(tools: ToolPrinter, event: ReceivedEvent): void {
  if (event.type === 'tool.started') tools.started(event.payload);
  if (event.type === 'tool.executed') tools.executed(event.payload);
  if (event.type === 'tool.failed') tools.failed(event.payload);
  if (event.type === 'tool.blocked') tools.blocked(event.payload);
  if (event.type === 'tool.skipped') tools.skipped(event.payload);
  if (event.type === 'tool.unknown') tools.unknown(event.payload);
}
