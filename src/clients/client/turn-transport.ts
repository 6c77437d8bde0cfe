import type { CreateTurnData, Turn, TurnDetails } from './generated/types.ts';

/** A turn to start. */
export interface StartTurnRequest {
  conversationId: string;
  /** A text, or parts that name files by their ids. */
  message: CreateTurnData['body']['message'];
  /** The same key finds the same turn, however often it is sent. @default a new one for each call */
  idempotencyKey?: string | undefined;
  /** The treatment of the message while another turn runs in the conversation. @default 'reject' */
  onBusy?: 'reject' | 'enqueue' | 'steer' | 'interrupt' | 'rollback' | undefined;
  /** Ends the model call that runs, so that the model is asked again with a message that steers. @default false */
  now?: boolean | undefined;
  /** The person who sends the message, when the API key acts for several. */
  actingFor?: string | undefined;
  /** The message is refused when another turn than this one, or none, runs or waits in the conversation. */
  expectedTurnId?: string | undefined;
  /** Lets `rollback` hide a turn whose tool calls have changed something, or may have. */
  confirmRollback?: boolean | undefined;
  /** The JSON Schema of an object that the final answer satisfies; the turn then has it as `answerJson`. */
  responseSchema?: object | undefined;
}

/** A turn that will run; `submitted` when it is safe with Temporal and a worker has yet to accept it. */
export interface StartedTurn {
  id: string;
  conversationId: string;
  status: Turn['status'] | 'submitted';
}

/** How long to wait. */
export interface WaitOptions {
  /** @default no limit */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Starts, awaits and cancels turns: over HTTP, or in another way such as through a Temporal client. */
export interface TurnTransport {
  /**
   * Starts a turn; when it returns, the turn will not be lost.
   * @throws HoldfastApiError `IDEMPOTENCY_KEY_REUSED` when the key came with another request before
   */
  start(request: StartTurnRequest): Promise<StartedTurn>;
  /**
   * Waits until the turn is settled.
   * @throws HoldfastApiError `WAIT_TIMED_OUT` after `timeoutMs`; the turn continues
   */
  wait(turnId: string, options?: WaitOptions): Promise<TurnDetails>;
  /**
   * Asks a turn to stop; it settles as `cancelled` a little later.
   * @throws HoldfastApiError `NOT_FOUND` for an unknown turn, and through Temporal alone for one in the queue
   */
  cancel(turnId: string): Promise<void>;
}
