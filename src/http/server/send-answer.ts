import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface SentAnswer {
  status: number;
  data?: unknown;
  headers?: Record<string, string>;
  frames?: AsyncGenerator<string>;
  bytes?: Buffer;
}

/** Sends what a handler answered, in the envelope that all answers but streams and files have. */
export function sendAnswer(reply: FastifyReply, answer: SentAnswer): FastifyReply {
  const { status, data, headers, frames, bytes } = answer;
  if (frames) return sendFrames(reply, frames);
  reply.code(status).headers(headers ?? {});
  if (bytes) return reply.send(bytes);
  return status === 204 ? reply.send() : reply.send({ success: true, data });
}

/** The stream pulls one frame at a time and waits while the client does not read. */
function sendFrames(reply: FastifyReply, frames: AsyncGenerator<string>): FastifyReply {
  return (
    reply
      .code(200)
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-cache, no-transform')
      .header('x-accel-buffering', 'no')
      // A stream ends for good; a connection kept for later would only hold up a server that stops.
      .header('connection', 'close')
      .send(Readable.from(frames))
  );
}
