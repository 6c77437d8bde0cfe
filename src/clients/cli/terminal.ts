import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { toVisible } from './visible-text.ts';

type Format = Parameters<typeof styleText>[0];

/**
 * Writes text for a person to one stream, in order. Control characters in the text are shown as symbols: only `style` makes
 * escape sequences.
 */
export interface Terminal {
  write(text: string): void;
  /** Writes a separate line; starts a new one first when the current line has text. */
  line(text?: string): void;
  /** Starts a new line unless the stream is at the start of one. */
  freshLine(): void;
  /** Writes a text in place of the current line, which is for streams that are terminals. */
  replaceLine(text: string): void;
  /** Adds colour to a text when the stream shows colours. The answer is for `write` and `line`. */
  style(format: Format, text: string): string;
}

/** Stands for the escape character of `style` until it is written. No text can contain it, since it is random. */
const styleMark = `<${randomUUID()}>`;

/** Writes to a stream and remembers whether it is at the start of a line. */
export function createTerminal(stream: Writable, { hasColours }: { hasColours: boolean }): Terminal {
  let atLineStart = true;
  /** A carriage return at the end of a piece, until it is known whether a newline follows. */
  let held = '';
  const terminal: Terminal = {
    write: (text) => {
      const whole = held + text;
      held = whole.endsWith('\r') ? '\r' : '';
      const shown = toVisible(whole.slice(0, whole.length - held.length));
      if (shown === '') return;
      stream.write(shown.replaceAll(styleMark, '\u001b'));
      atLineStart = shown.endsWith('\n');
    },
    line: (text = '') => {
      terminal.freshLine();
      terminal.write(`${text}\n`);
    },
    freshLine: () => {
      if (!atLineStart || held !== '') terminal.write('\n');
    },
    replaceLine: (text) => {
      stream.write('\r\u001b[K');
      atLineStart = true;
      terminal.write(text);
    },
    style: (format, text) => {
      // A text that has a style already has marks in it.
      const inner = toVisible(text).replaceAll(styleMark, '\u001b');
      return hasColours
        ? styleText(format, inner, { validateStream: false }).replaceAll('\u001b', styleMark)
        : inner.replaceAll('\u001b', styleMark);
    },
  };
  return terminal;
}
