import type { ConversationEvent } from '../domain/event.ts';
import type { Turn, TurnDetails, TurnInput } from '../domain/turn.ts';
import type { TurnStatus } from '../domain/turn-status.ts';
import type { ReceivedEvent, StreamOptions } from './event-stream.ts';
import type { Page, PageRequest } from './resources.ts';

/** A turn to start. */
export interface StartTurnRequest {
  conversationId: string;
  message: string;
  /** The same key finds the same turn, however often it is sent. @default a new one for each call */
  idempotencyKey?: string | undefined;
  /** What to do while another turn runs in the conversation. @default 'reject' */
  onBusy?: TurnInput['onBusy'] | undefined;
}

/** A turn that will run; `submitted` when it is safe with Temporal and a worker has yet to accept it. */
export interface StartedTurn {
  id: string;
  conversationId: string;
  status: TurnStatus | 'submitted';
}

/** How long to wait. */
export interface WaitOptions {
  /** @default no limit */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What both ways to reach Holdfast can do: over HTTP, and through a Temporal client. */
export interface TurnTransport {
  /**
   * Starts a turn; when it returns, the turn will not be lost.
   * @throws HoldfastApiError `IDEMPOTENCY_KEY_REUSED` when the key came with another request before
   */
  start(request: StartTurnRequest): Promise<StartedTurn>;
  /**
   * Waits until the turn is settled.
   * @throws HoldfastApiError `WAIT_TIMED_OUT` after `timeoutMs`; the turn goes on
   */
  wait(turnId: string, options?: WaitOptions): Promise<TurnDetails>;
  /**
   * Asks a turn to stop; it settles as `cancelled` a little later.
   * @throws HoldfastApiError `NOT_FOUND` for an unknown turn, and through Temporal alone for one in the queue
   */
  cancel(turnId: string): Promise<void>;
}

/** The turns of the workspace. */
export interface Turns extends TurnTransport {
  get(turnId: string, options?: { signal?: AbortSignal | undefined }): Promise<TurnDetails>;
  list(conversationId: string, page?: PageRequest): Promise<Page<Turn>>;
  /** The stored events of a turn, in order. */
  events(turnId: string, page?: PageRequest): Promise<Page<ConversationEvent>>;
  /**
   * Follows a turn until it is settled, or a conversation until the signal is aborted: stored events and
   * the model's text as it comes, each once, across lost connections.
   */
  stream(target: string | { conversationId: string }, options?: StreamOptions): AsyncIterable<ReceivedEvent>;
}
