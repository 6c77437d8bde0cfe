import type { TimedProcess } from '../measure/processor-time.ts';

/** The surroundings of a peer: new and empty, for it alone. */
export interface PeerOptions {
  /** A Postgres for a role that may create databases; empty for an engine that stores its data elsewhere. */
  databaseUrl: string;
  /** A folder for its files, which is deleted at the end. */
  folder: string;
  /** The settings of its row in the catalogue. */
  settings: Record<string, string>;
  /** The places of the Temporal binary. */
  cacheDir: string;
  temporalCli: string | undefined;
}

/** An engine that is ready for turns. */
export interface Peer {
  /** The processes that it started, besides its own. */
  processes?: TimedProcess[];
  /** Prepares a conversation, outside of the measured time. @default a new id */
  createConversation?: () => Promise<string>;
  /** Runs a turn of a conversation to its end, each step durable before the next one begins. */
  runTurn: (conversationId: string) => Promise<unknown>;
  close: () => Promise<void>;
}

/** The export `start` of a file in `engines`. */
export type StartPeer = (options: PeerOptions) => Promise<Peer>;

/** The input for opening a peer in its program. */
export interface OpenPeerOrder extends PeerOptions {
  /** The name of a file in `engines`. */
  module: string;
}

/** The turns to run: a number of them, or as many as begin within a duration. */
export interface TurnsOrder {
  inFlight: number;
  turns?: number;
  durationMs?: number;
  /** Whether all turns are of one conversation, one after the other. @default false */
  oneConversation?: boolean;
}

/** The turns that were run. */
export interface TurnsResult {
  /** In the order in which the turns ended. */
  latenciesMs: number[];
  /** From the first turn until the last one has ended. */
  turnsPerSecond: number;
}

/** The requests that the program of a peer answers. */
export interface PeerRequests {
  /** Returns the processes that the engine started. */
  open: (order: OpenPeerOrder) => Promise<TimedProcess[]>;
  runTurns: (order: TurnsOrder) => Promise<TurnsResult>;
  close: () => Promise<void>;
}
