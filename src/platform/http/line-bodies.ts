import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { HttpServer } from './server-type.ts';

/** The media type of lines of JSON. */
export const lineMediaType = 'application/x-ndjson';

/**
 * Adds a scope whose routes take lines of JSON in place of a JSON body, of any length. The body reaches the handler as it
 * arrives, without a check.
 */
export function addLineScope(server: HttpServer, addRoute: (scope: HttpServer) => void): void {
  void server.register((scope: HttpServer, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(lineMediaType, (_request, payload, parsed) => parsed(null, payload));
    addRoute(scope);
    done();
  });
}

/** How long a reader that stops early waits for the end of the body, in milliseconds. Clients read their answer after it. */
const longestRestMs = 5_000;

/**
 * Yields the bytes of the body of a request, which may be missing, as they arrive. When the reader stops early, the rest is
 * read and dropped.
 */
export async function* readBody(stream: unknown): AsyncGenerator<Uint8Array> {
  if (!(stream instanceof Readable)) return;
  try {
    // A destroyed request would close its connection, and the client would get no answer.
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } finally {
    const signal = AbortSignal.timeout(longestRestMs);
    if (!stream.readableEnded) await finished(stream.resume(), { signal }).catch(() => undefined);
  }
}
