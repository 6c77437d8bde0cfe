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

/** Answers every request with 200 while the program does its work, else with 503. Does not keep the process alive. */
export async function serveHealth({
  host,
  port,
  isAlive,
  listFailingSweeps,
}: HealthOptions): Promise<Server> {
  const server = createServer((_request, response) => {
    const status = isAlive() ? 'alive' : 'stopped';
    response.writeHead(status === 'alive' ? 200 : 503, { 'content-type': 'application/json' });
    const data = { status, failingSweeps: listFailingSweeps() };
    response.end(JSON.stringify({ success: status === 'alive', data }));
  });
  server.listen(port, host).unref();
  await once(server, 'listening');
  return server;
}
