import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Say } from './say.ts';

const loopback = '127.0.0.1';

/** A port that is free on the loopback address at this moment. */
export async function findFreePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === undefined) throw new Error(`No free port on ${loopback}.`);
  return port;
}

interface PortRequest {
  /** What will listen there, for the message. */
  name: string;
  preferred: number;
  say: Say;
}

/** The preferred port, or when it is taken a free one, with a message that says so. */
export async function findPort({ name, preferred, say }: PortRequest): Promise<number> {
  const port = await tryListen(preferred);
  if (port !== undefined) return port;
  const other = await findFreePort();
  say(`Port ${preferred} for ${name} is taken by another program; ${name} is on port ${other} instead.`);
  return other;
}

async function tryListen(port: number): Promise<number | undefined> {
  const server = createServer().listen({ port, host: loopback, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? address?.port : undefined;
}

// Ports below 1024 answer EACCES to an ordinary user.
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
}
