import type { TimedProcess } from '../../measure/processor-time.ts';
import type { MeasuredRequests } from '../../programs/contract.ts';
import type { PeerOptions } from '../contract.ts';

/** The surroundings of a peer whose answers stream: new and empty, for it alone. */
export interface StreamingOptions extends Pick<PeerOptions, 'databaseUrl' | 'folder' | 'settings'> {
  /** The base URL of the model server, which speaks Chat Completions. */
  modelUrl: string;
}

/** The message that starts a turn. */
export interface TurnInput {
  conversationId: string;
  message: string;
}

/** Receives the part of a turn that the reader of a conversation sees. */
export interface TurnReader {
  /** Shows a piece of an answer. */
  piece: (text: string) => void;
  /** Shows a finished answer. */
  message: (text: string) => void;
}

/** An engine that is ready for turns whose answers stream. */
export interface StreamingPeer {
  /** The processes that it started, besides its own. */
  processes?: TimedProcess[];
  /** Runs a turn to its end: model calls, and the tool `calculate` in between. */
  runTurn: (input: TurnInput, reader: TurnReader) => Promise<unknown>;
  close: () => Promise<void>;
}

/** The export `start` of a file in `engines`. */
export type StartStreamingPeer = (options: StreamingOptions) => Promise<StreamingPeer>;

/** The input for opening a peer in its program: its surroundings, and the name of a file in `engines`. */
export interface OpenStreamingOrder extends StreamingOptions {
  module: string;
}

/** The requests that the program of a peer answers. */
export interface StreamingRequests extends MeasuredRequests {
  /** Returns the address of its HTTP server, and the processes that the engine started. */
  open: (order: OpenStreamingOrder) => Promise<{ origin: string; processes: TimedProcess[] }>;
  close: () => Promise<void>;
}
