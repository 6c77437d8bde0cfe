import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FetchHandler } from './create-chat-handler.ts';

/** A request of `node:http` or express, or one of fastify. */
export type NodeRequest = (IncomingMessage | { raw: IncomingMessage }) & {
  /** The parsed body, where something has read it before. */
  body?: unknown;
  /** The URL before a router has cut off its path. */
  originalUrl?: string;
};

/** A response of `node:http` or express, or a reply of fastify. */
export type NodeResponse =
  ServerResponse | { raw: ServerResponse; hijack: () => unknown; getHeaders: () => SetHeaders };

type SetHeaders = Partial<Record<string, number | string | string[]>>;

/**
 * Makes a handler of the Fetch standard one for express, fastify or `node:http`. A body that was parsed before, as by
 * `express.json()` and fastify, is written as JSON again. The request's signal is aborted when the response is closed.
 */
export function toNodeHandler(
  handler: FetchHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const outgoing = 'raw' in response ? response.raw : response;
    const closed = new AbortController();
    outgoing.once('close', () => closed.abort());
    const answer = await handler(toFetchRequest(request, closed.signal));
    if ('hijack' in response) {
      for (const [name, value] of Object.entries(response.getHeaders()))
        if (value !== undefined) outgoing.setHeader(name, value);
      response.hijack();
    }
    await send(answer, outgoing, closed.signal);
  };
}

function toFetchRequest(request: NodeRequest, signal: AbortSignal): Request {
  const incoming = 'raw' in request ? request.raw : request;
  const { method = 'GET' } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    // HTTP/2 has fields such as `:path` among its headers.
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  const url = toUrl(request.originalUrl ?? incoming.url ?? '/', headers.get('host') ?? 'localhost');
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  if (!incoming.readableDidRead) {
    // Node takes any async iterable, which the types of the DOM do not know.
    const body = incoming as unknown as ReadableStream<Uint8Array>;
    const init = { method, headers, signal, body, duplex: 'half' as const };
    return new Request(url, init);
  }
  headers.delete('content-length');
  headers.delete('content-encoding');
  return new Request(url, { method, headers, signal, body: toBody(request.body) });
}

function toUrl(path: string, host: string): string {
  const url = URL.parse(`http://${host}${path.startsWith('/') ? path : `/${path}`}`);
  return url?.href ?? 'http://localhost/';
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> | null {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return body === undefined ? null : JSON.stringify(body);
}

async function send(answer: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === 'set-cookie') outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
  if (!answer.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const target = new WritableStream<Uint8Array>({
    write: (part) => new Promise((resolve) => outgoing.write(part, () => resolve())),
    close: () => void outgoing.end(),
  });
  try {
    await answer.body.pipeTo(target, { signal });
  } catch {
    // The status was sent, so that a response without its end is all that can say that the body broke.
    outgoing.destroy();
  }
}
