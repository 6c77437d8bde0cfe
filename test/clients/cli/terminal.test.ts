import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminal } from '../../../src/clients/cli/terminal.ts';

/** A terminal of its own, and what was written to it. */
function open() {
  const stream = new PassThrough({ encoding: 'utf8' });
  const terminal = createTerminal(stream, { hasColours: true });
  return { terminal, read: () => (stream.read() as string | null) ?? '' };
}

test('a style makes escape sequences, and the text inside of it does not', () => {
  const { terminal, read } = open();
  terminal.line(`${terminal.style('green', '✓')} ${terminal.style('dim', '\u001b[8mhidden')}`);
  expect(read()).toBe('\u001b[32m✓\u001b[39m \u001b[2m␛[8mhidden\u001b[22m\n');
});

test('a style around a style keeps both', () => {
  const { terminal, read } = open();
  terminal.write(terminal.style('bold', `a ${terminal.style('red', 'b')} c`));
  expect(read()).toBe('\u001b[1ma \u001b[31mb\u001b[39m c\u001b[22m');
});

test('a sequence that arrives in pieces has no effect', () => {
  const { terminal, read } = open();
  for (const piece of ['\u001b', '[2', 'J', 'text']) terminal.write(piece);
  expect(read()).toBe('␛[2Jtext');
});

test('a carriage return and a newline in two pieces end one line', () => {
  const { terminal, read } = open();
  for (const piece of ['one\r', '\ntwo\r', 'three\r']) terminal.write(piece);
  terminal.line('four');
  expect(read()).toBe('one\ntwo␍three\nfour\n');
});

test('a line is replaced by another one', () => {
  const { terminal, read } = open();
  terminal.replaceLine('half');
  terminal.replaceLine('');
  terminal.line('done');
  expect(read()).toBe('\r\u001b[Khalf\r\u001b[Kdone\n');
});
