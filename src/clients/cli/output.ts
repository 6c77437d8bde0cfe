import type { Terminal } from './terminal.ts';
import { toSafeJson } from './visible-text.ts';

/** Whether a command prints JSON instead of lines for people. */
export interface OutputOptions {
  json?: boolean;
}

/** Prints a value for programs. */
export function printJson(terminal: Pick<Terminal, 'line'>, value: unknown): void {
  terminal.line(toSafeJson(value, 2));
}
