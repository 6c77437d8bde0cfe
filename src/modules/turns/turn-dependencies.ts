import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { SchemaChecksOf } from '../../domain/schema-checks.ts';
import type { Notifier, Wakeups } from '../../platform/database/wakeups.ts';
import type { Actor, Viewer } from '../../domain/actor.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';

/** Everything that the use cases of turns need from outside. */
export interface TurnDependencies {
  database: Pick<Database, 'pipelined' | 'transact'>;
  /** Starts a stored turn, with a workflow or without one, unless it is started already. */
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Asks the workflow of a turn to stop. */
  cancelTurn: (turnId: string) => Promise<void>;
  /** Notifies the workflow of a turn that an action was decided; does nothing when the workflow has ended. */
  notifyDecision: (turnId: string, actionId: string) => Promise<void>;
  notifier: Pick<Notifier, 'events' | 'stop' | 'steerNow'>;
  wakeups: Pick<Wakeups, 'onEvents' | 'isListening'>;
  checksOf: SchemaChecksOf;
  logger: Pick<Logger, 'warn' | 'debug'>;
  timings?: Partial<StreamTimings>;
}

/** Times of streams, in milliseconds. */
export interface StreamTimings {
  /** How often readers look for events while notifications do not come. @default 1000 */
  pollMs: number;
  /** How long a stream stays silent. @default 15000 */
  keepAliveMs: number;
  /** How long a reader that was seen to be allowed to read continues before that is looked up again. @default 5000 */
  trustedMs: number;
}

/** The timings that are used where a program sets none. */
export const defaultTimings: StreamTimings = {
  pollMs: 1000,
  keepAliveMs: 15_000,
  trustedMs: 5_000,
};

/** The workspace in whose name a use case of turns acts. */
export type TurnPrincipal = Pick<Actor, 'workspaceId'>;

/** The API key that starts a turn, and the person for whom it acts; a turn from Temporal has no key. */
export type TurnStarter = Viewer & Partial<Pick<Actor, 'apiKeyId'>>;
