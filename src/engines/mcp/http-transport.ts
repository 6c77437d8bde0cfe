import {
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import type { HoldfastError } from '../../domain/errors.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import type { HttpServer } from './mcp-catalogue.ts';
import { createCappedFetch } from './capped-fetch.ts';
import { currentRequest } from './pending-request.ts';

const reconnection = {
  initialReconnectionDelay: 250,
  maxReconnectionDelay: 2_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
};

/** The longest delay of a timer; a longer one would end at once. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * Schedules the next attempt to reconnect a stream, after the delay that the server asks for (`retry:`): a call that
 * cannot wait for so long ends by its own timeout. No delay at all would loop without a pause. The timer of the SDK
 * would keep the process alive.
 */
function scheduleReconnection(reconnect: () => void, delayMs: number): () => void {
  const waitMs = Math.min(Math.max(delayMs, reconnection.initialReconnectionDelay), longestDelayMs);
  const timer = setTimeout(reconnect, waitMs);
  timer.unref();
  return () => clearTimeout(timer);
}

function streamEnded(): HoldfastError {
  const message = 'The MCP server ended the response without an answer.';
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: true });
}

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** Streamable HTTP that fails a pending request when its response ends without an answer to it. */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #unanswered = new Set<unknown>();

  /** Must be called after the client has connected, since that sets `onmessage`. */
  watchAnswers(): void {
    const deliver = this.onmessage;
    this.onmessage = (message: JSONRPCMessage) => {
      if ('id' in message && !('method' in message)) this.#unanswered.delete(message.id);
      deliver?.(message);
    };
  }

  override async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const pending = 'id' in message && 'method' in message ? currentRequest() : undefined;
    if (!pending) return super.send(message, options);
    const { id } = message as { id: unknown };
    const endWithoutAnswer = () => {
      if (this.#unanswered.delete(id)) pending.fail(streamEnded());
    };
    this.#unanswered.add(id);
    pending.streamSignal.addEventListener('abort', () => this.#unanswered.delete(id), { once: true });
    const signals = [options.requestSignal, pending.streamSignal].filter((signal) => signal !== undefined);
    await super.send(message, {
      ...options,
      requestSignal: AbortSignal.any(signals),
      // The SDK calls it also after an answer.
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        endWithoutAnswer();
      },
    });
    if (!pending.isStreamed) endWithoutAnswer();
  }
}

interface HttpTransportOptions {
  fetch: FetchLike;
  maxMessageBytes: number;
}

/** Creates the transport to a server; it reads no message of more than `maxMessageBytes`. */
export function createHttpTransport(server: HttpServer, options: HttpTransportOptions): HttpTransport {
  return new HttpTransport(new URL(server.url), {
    fetch: createCappedFetch(options.fetch, options.maxMessageBytes),
    requestInit: { headers: server.headers },
    reconnectionOptions: reconnection,
    reconnectionScheduler: scheduleReconnection,
  });
}
