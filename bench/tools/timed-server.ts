import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that measures its own working time. */
export interface TimedServer {
  /** Its address without a slash at the end. */
  url: string;
  /** Returns the time that it spent on requests since the last call of this function, in milliseconds. */
  takeBusyMs: () => number;
  close: () => Promise<void>;
}

type Answer = (body: string, response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that measures from the end of each request to the end of its answer. */
export async function startTimedServer(answer: Answer): Promise<TimedServer> {
  let busyMs = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const startedAt = performance.now();
      response.once('finish', () => (busyMs += performance.now() - startedAt));
      answer(Buffer.concat(parts).toString('utf8'), response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeBusyMs: () => {
      const taken = busyMs;
      busyMs = 0;
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
