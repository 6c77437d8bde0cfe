import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback. */
export interface LoopbackServer {
  /** Its address without a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

/** Starts a server that answers JSON requests in its own time. A request whose handler throws gets status 500. */
export function startJsonServer(
  answer: (body: unknown, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    // A client that was killed leaves its answer behind.
    response.on('error', () => undefined);
    readBody(request)
      .then((body) => (request.method === 'POST' ? answer(body, response) : end(response, 405)))
      .catch(() => end(response, 500));
  });
  return listenOnLoopback(server);
}

/** Lets a server listen on a free port of loopback; closing it breaks its open sockets. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function end(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status);
  response.end();
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as unknown);
}
