import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback with the listener of a test. */
export interface HttpServer {
  /** Its address without a slash at the end. */
  url: string;
  /** Returns the number of open sockets. */
  sockets: () => Promise<number>;
  /** Breaks all open sockets; new ones are accepted. */
  cutSockets: () => void;
  /** Breaks all open sockets and stops listening; closing twice is fine. */
  close: () => Promise<void>;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Starts a server that reads each request to its end before it is answered; an answer that rejects breaks the socket. */
export function startHttpServer(answer: Answer): Promise<HttpServer> {
  return startStreamingServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await answer(request, response, Buffer.concat(parts).toString('utf8'));
  });
}

/** Starts a server whose listener reads the request itself; a listener that rejects breaks the socket. */
export async function startStreamingServer(listener: Listener): Promise<HttpServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    await listener(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    cutSockets: () => server.closeAllConnections(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
