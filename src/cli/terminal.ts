import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Writes text for a person to one stream, in order. */
export interface Terminal {
  write(text: string): void;
  /** Writes a separate line; starts a new one first when the current line has text. */
  line(text?: string): void;
  /** Starts a new line unless the stream is at the start of one. */
  freshLine(): void;
  /** Adds colour to a text when the stream is a terminal and NO_COLOR is not set. */
  style(format: Format, text: string): string;
}

/** Writes to a stream and remembers whether it is at the start of a line. */
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
