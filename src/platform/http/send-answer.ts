import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface SentAnswer {
  status: number;
  data?: unknown;
  headers?: Record<string, string>;
  frames?: AsyncGenerator<string>;
  mediaType?: string;
  bytes?: AsyncGenerator<Uint8Array>;
}

/** Sends the answer of a handler, in the common envelope unless it is a stream or a file. */
export async function sendAnswer(reply: FastifyReply, answer: SentAnswer): Promise<FastifyReply> {
  const { status, data, headers, frames, mediaType = 'text/event-stream', bytes } = answer;
  // A file that cannot be read is answered with an error, so it is opened before the headers are set.
  const content = bytes && (await openBytes(reply, bytes));
  reply.code(status).headers(headers ?? {});
  if (frames) return sendFrames(reply, frames, mediaType);
  if (content) return reply.send(content);
  return status === 204 ? reply.send() : reply.send({ success: true, data });
}

/** Opens a file, which is sent piece by piece. Only its headers answer a HEAD request. */
async function openBytes({ request }: FastifyReply, bytes: AsyncGenerator<Uint8Array>): Promise<Readable> {
  // Without a stream fastify would answer a HEAD request with the length 0.
  if (request.method === 'HEAD') return Readable.from([], { objectMode: false });
  return Readable.from(withFirst(await bytes.next(), bytes), { objectMode: false });
}

/** Puts the first piece back. It is no generator, since one that was not started would not end its source. */
function withFirst<Piece>(
  first: IteratorResult<Piece>,
  rest: AsyncGenerator<Piece>,
): AsyncIterableIterator<Piece> {
  let pending: IteratorResult<Piece> | undefined = first;
  return {
    next: () => {
      const piece = pending;
      pending = undefined;
      return piece ? Promise.resolve(piece) : rest.next();
    },
    return: () => rest.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Sends a stream. It takes one frame at a time, and waits while the client does not read. */
function sendFrames(reply: FastifyReply, frames: AsyncGenerator<string>, mediaType: string): FastifyReply {
  return (
    reply
      .header('content-type', `${mediaType}; charset=utf-8`)
      .header('cache-control', 'no-cache, no-transform')
      .header('x-accel-buffering', 'no')
      // Closes the socket after the stream, since an idle kept-alive socket would delay a server that stops.
      .header('connection', 'close')
      .send(Readable.from(frames))
  );
}
