import { createServer, type Server } from 'node:net';

/** Other programs that hold the ports which Holdfast would like to have. */
export interface OtherPrograms {
  /** What was sent to them. */
  requests: () => string[];
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** The ports of the API, of Temporal, of its Web UI, and of Postgres. */
const usualPorts = [3400, 7233, 8233, 5433];

/** Holds those of the usual ports that are free; the others are held by other programs of the machine anyway. */
export async function holdUsualPorts(): Promise<OtherPrograms> {
  const requests: string[] = [];
  const servers = await Promise.all(usualPorts.map((port) => hold(port, requests)));
  return {
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function hold(port: number, requests: string[]): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      requests.push(`${port}: ${data.toString('latin1')}`);
      socket.destroy();
    });
  });
  return new Promise((resolve) => {
    server.once('error', () => resolve(server));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
