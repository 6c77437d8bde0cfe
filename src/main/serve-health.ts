import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

interface HealthOptions {
  host: string;
  port: number;
  /** Returns true while the program does its work. */
  isAlive: () => boolean;
  /** Lists what fails although the program does its work; a restart would not mend it. */
  listFailingSweeps: () => object[];
}

/** The only path of this server. */
const livePath = '/health/live';

/**
 * Answers `/health/live` with 200 while the program does its work, else with 503, and all other paths with 404. Does not keep
 * the process alive.
 */
export async function serveHealth({
  host,
  port,
  isAlive,
  listFailingSweeps,
}: HealthOptions): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.split('?')[0] !== livePath) {
      const message = `A worker answers GET ${livePath} only.`;
      send(404, { success: false, error: { code: 'NOT_FOUND', message } });
      return;
    }
    const status = isAlive() ? 'alive' : 'stopped';
    const data = { status, failingSweeps: listFailingSweeps() };
    send(status === 'alive' ? 200 : 503, { success: status === 'alive', data });
  });
  server.listen(port, host).unref();
  await once(server, 'listening');
  return server;
}
