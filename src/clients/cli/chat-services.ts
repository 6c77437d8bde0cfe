import type { HoldfastClient } from '../client/index.ts';
import type { CommandContext } from './command-context.ts';
import type { Terminal } from './terminal.ts';

/** The dependencies of a command that calls the API. */
export interface ChatServices {
  client: HoldfastClient;
  terminal: Terminal;
  baseUrl: string;
  /** Prints a line to the standard error, with control characters as symbols. */
  warn: (line: string) => void;
  context: CommandContext;
}
