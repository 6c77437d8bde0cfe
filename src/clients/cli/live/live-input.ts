import readline from 'node:readline';
import { styleText } from 'node:util';
import type { CommandContext } from '../command-context.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { toVisible } from '../visible-text.ts';

/** The line at which a person types, while other output is printed. */
export interface LiveInput {
  /** Prints above the typed line. Output is held back while a person types, so that it does not break their line. */
  terminal: Terminal;
  /** Shows the prompt, with a text that can be edited; nothing once the input has ended. */
  prompt: (text?: string) => void;
  /** Yields the typed lines until the input ends. */
  lines: () => AsyncIterable<string>;
  close: () => void;
}

/** The keys that have a meaning while a turn runs. */
interface LiveKeys {
  interrupt: () => void;
  escape: () => void;
  /** Returns true while a turn runs: typing then opens a prompt. */
  isRunning: () => boolean;
}

/** Opens the standard input of a command for a person. */
export function openLiveInput(
  context: CommandContext,
  { interrupt, escape, isRunning }: LiveKeys,
): LiveInput {
  const { stdin, stdout, hasColours } = context;
  const output = createTerminal(stdout, context);
  const reader = readline.createInterface({
    input: stdin,
    output: stdout,
    prompt: hasColours ? styleText(['bold', 'green'], '› ', { validateStream: false }) : '› ',
  });
  const held: string[] = [];
  let hasPrompt = false;
  let isClosed = false;
  reader.once('close', () => (isClosed = true));
  const isTyping = () => reader.line !== '';

  function showPrompt(): void {
    output.freshLine();
    reader.prompt();
    hasPrompt = true;
  }

  function write(text: string): void {
    if (hasPrompt) {
      readline.clearLine(stdout, 0);
      readline.cursorTo(stdout, 0);
      hasPrompt = false;
    }
    output.write(text);
  }

  function release(): void {
    for (const text of held.splice(0)) write(text);
  }

  // In raw mode Ctrl-C is a key, not a signal.
  reader.on('SIGINT', interrupt);
  // Before the reader takes the key: the first one of a line moves to its own line.
  stdin.prependListener('keypress', (key: string | undefined) => {
    if (!hasPrompt && !isTyping() && isRunning() && isPrintable(key)) showPrompt();
  });
  stdin.on('keypress', (_key: string | undefined, { name }: readline.Key) => {
    if (name === 'escape') escape();
    if (!isTyping()) release();
  });

  return {
    terminal: holdBack({ ...output, write }, { held, isTyping }),
    prompt: (text = '') => {
      // The turn that still runs when a person leaves ends after the input.
      if (isClosed) return;
      showPrompt();
      // The reader takes control characters as keys.
      if (text !== '') reader.write(toVisible(text));
    },
    lines: async function* () {
      for await (const line of reader) {
        hasPrompt = false;
        release();
        yield line;
      }
    },
    close: () => reader.close(),
  };
}

function isPrintable(key: string | undefined): boolean {
  return key !== undefined && !/^\p{Cc}/u.test(key);
}

/** A terminal whose output is held back while a person types. */
function holdBack(
  output: Terminal,
  { held, isTyping }: { held: string[]; isTyping: () => boolean },
): Terminal {
  const write = (text: string) => {
    if (isTyping()) held.push(text);
    else output.write(text);
  };
  const freshLine = () => {
    if (!isTyping()) output.freshLine();
    else if (held.length > 0 && !held.at(-1)?.endsWith('\n')) held.push('\n');
  };
  return {
    write,
    freshLine,
    line: (text = '') => {
      freshLine();
      write(`${text}\n`);
    },
    replaceLine: (text) => {
      if (!isTyping()) output.replaceLine(text);
    },
    style: (format, text) => output.style(format, text),
  };
}
