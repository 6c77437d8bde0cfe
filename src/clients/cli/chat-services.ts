import type { HoldfastClient } from '../client/index.ts';
import type { Terminal } from './terminal.ts';

/** The dependencies of a chat. */
export interface ChatServices {
  client: HoldfastClient;
  terminal: Terminal;
  baseUrl: string;
}
