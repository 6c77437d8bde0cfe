import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../src/domain/json.ts';
import { startHttpServer } from './http-server.ts';

/** A request that the server got. */
export interface RecordedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** One answer: events to stream, or a status with a body. */
export type Reply = { events: JsonObject[] } | { status: number; body: JsonObject };

/** Starts a server on loopback that answers requests with the given replies in order. */
export async function startEventStreamServer(...replies: Reply[]) {
  const requests: RecordedRequest[] = [];
  const server = await startHttpServer(({ url = '', headers }, response, text) => {
    requests.push({ url, headers, body: JSON.parse(text) as JsonObject });
    const reply = replies.shift() ?? { status: 500, body: { error: { message: 'no reply left' } } };
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(reply.events.map(toEvent).join(''));
  });
  return { baseUrl: `${server.url}/v1`, requests, close: server.close };
}

function toEvent(event: JsonObject): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
