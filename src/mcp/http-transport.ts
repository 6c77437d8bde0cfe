import {
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import type { HoldfastError } from '../domain/errors.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import type { HttpServer } from './catalogue.ts';
import { createCappedFetch } from './capped-fetch.ts';
import { currentRequest } from './pending-request.ts';

const reconnection = {
  initialReconnectionDelay: 250,
  maxReconnectionDelay: 2_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
};

/** A server may ask for any delay; a timer of the SDK's own would keep the process alive for it. */
function scheduleReconnection(reconnect: () => void, delayMs: number): () => void {
  const timer = setTimeout(reconnect, Math.min(delayMs, 5_000));
  timer.unref();
  return () => clearTimeout(timer);
}

function connectionLost(): HoldfastError {
  const message = 'The MCP server ended the response without an answer.';
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: true });
}

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** Streamable HTTP that tells the request under way when its stream ended without an answer. */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const pending = 'id' in message && 'method' in message ? currentRequest() : undefined;
    if (!pending) return super.send(message, options);
    const signals = [options.requestSignal, pending.streamSignal].filter((signal) => signal !== undefined);
    return super.send(message, {
      ...options,
      requestSignal: AbortSignal.any(signals),
      // Comes after the answer too, when there is nobody left to be told.
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        pending.fail(connectionLost());
      },
    });
  }
}

interface HttpTransportOptions {
  fetch: FetchLike;
  maxMessageBytes: number;
}

/** Builds the transport to a server of the catalogue; no message of more than `maxMessageBytes` is read. */
export function createHttpTransport(
  server: HttpServer,
  options: HttpTransportOptions,
): StreamableHTTPClientTransport {
  return new HttpTransport(new URL(server.url), {
    fetch: createCappedFetch(options.fetch, options.maxMessageBytes),
    requestInit: { headers: server.headers },
    reconnectionOptions: reconnection,
    reconnectionScheduler: scheduleReconnection,
  });
}
