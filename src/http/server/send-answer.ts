import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface SentAnswer {
  status: number;
  data?: unknown;
  headers?: Record<string, string>;
  frames?: AsyncGenerator<string>;
  mediaType?: string;
  bytes?: Buffer;
}

/** Sends the answer of a handler, in the common envelope unless it is a stream or a file. */
export function sendAnswer(reply: FastifyReply, answer: SentAnswer): FastifyReply {
  const { status, data, headers, frames, mediaType = 'text/event-stream', bytes } = answer;
  reply.code(status).headers(headers ?? {});
  if (frames) return sendFrames(reply, frames, mediaType);
  if (bytes) return reply.send(bytes);
  return status === 204 ? reply.send() : reply.send({ success: true, data });
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
