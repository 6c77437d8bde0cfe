import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** What is written for a person to read, one stream, in order. */
export interface Terminal {
  write(text: string): void;
  /** Writes a line of its own: what is on the line already stays above it. */
  line(text?: string): void;
  /** Goes to the start of a line, unless it is there. */
  freshLine(): void;
  /** The text in a colour where colours are wanted: on a terminal, without NO_COLOR. */
  style(format: Format, text: string): string;
}

/** Writes to a stream and remembers whether it stands at the start of a line. */
export function createTerminal(stream: NodeJS.WriteStream): Terminal {
  let atLineStart = true;
  const terminal: Terminal = {
    write: (text) => {
      if (text === '') return;
      stream.write(text);
      atLineStart = text.endsWith('\n');
    },
    line: (text = '') => {
      terminal.freshLine();
      terminal.write(`${text}\n`);
    },
    freshLine: () => {
      if (!atLineStart) terminal.write('\n');
    },
    style: (format, text) => styleText(format, text, { stream }),
  };
  return terminal;
}
