import type { Terminal } from './terminal.ts';
import type { TurnPrinter } from './turn-printer.ts';
import { toSafeJson } from './visible-text.ts';

/** Prints each event as one line of JSON and nothing else. */
export function createJsonPrinter(terminal: Terminal): TurnPrinter {
  return {
    print: (event) => terminal.line(toSafeJson(event)),
    result: () => undefined,
    notice: () => undefined,
  };
}
