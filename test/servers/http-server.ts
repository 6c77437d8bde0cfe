import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that answers as a test says. */
export interface HttpServer {
  /** Its address without a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server that reads each request to its end before it is answered. */
export async function startHttpServer(answer: Answer): Promise<HttpServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => answer(request, response, Buffer.concat(parts).toString('utf8')));
  });
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
