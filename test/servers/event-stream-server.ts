import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/domain/json.ts';

/** A request that the server got. */
export interface RecordedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** One answer: events to stream, or a status with a body. */
export type Reply = { events: JsonObject[] } | { status: number; body: JsonObject };

/** Starts a server on loopback that gives one reply after the other, whatever is asked. */
export async function startEventStreamServer(...replies: Reply[]) {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      requests.push({
        url: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as JsonObject,
      });
      const reply = replies.shift() ?? { status: 500, body: { error: { message: 'no reply left' } } };
      if ('status' in reply) {
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(reply.body));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(reply.events.map(toEvent).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function toEvent(event: JsonObject): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
