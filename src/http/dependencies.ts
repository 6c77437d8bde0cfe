import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { Notifier, Wakeups } from '../db/wakeups.ts';
import type { FieldError } from '../domain/errors.ts';
import type { ToolInput } from '../domain/tool.ts';
import type { AgentTurnInput } from '../domain/turn-steps.ts';

/** Everything that the HTTP API needs from the rest of the program. */
export interface Dependencies {
  database: Database;
  /** Starts the workflow of a turn, unless it is started already. */
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Asks the workflow of a turn to stop. */
  cancelTurn: (turnId: string) => Promise<void>;
  notifier: Pick<Notifier, 'events' | 'stop'>;
  wakeups: Pick<Wakeups, 'onEvents'>;
  /** Null when the model can be used, otherwise one sentence that says why not. */
  checkModelName: (name: string) => string | null;
  /** What is wrong with a tool; the fields are relative to the tool. */
  checkTool: (tool: ToolInput) => FieldError[];
  isReady: () => Promise<{ database: boolean; temporal: boolean }>;
  logger: Logger;
  timings?: Partial<StreamTimings>;
}

/** How often streams look by themselves, and how long they stay silent; in milliseconds. */
export interface StreamTimings {
  /** @default 1000 */
  pollMs: number;
  /** @default 15000 */
  keepAliveMs: number;
}
