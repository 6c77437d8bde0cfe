import getPort from 'get-port';
import type { Say } from './say.ts';

const host = '127.0.0.1';

/** A port that is free on the loopback address at this moment. No other call returns it in the next 15 seconds. */
export function findFreePort(): Promise<number> {
  return getPort({ host });
}

interface PortRequest {
  /** The program that will listen there, for the message. */
  name: string;
  /** 0 for any free port. */
  preferred: number;
  say: Say;
}

/** Returns the preferred port. When it is taken, prints a message and returns a free one. */
export async function findPort({ name, preferred, say }: PortRequest): Promise<number> {
  const port = await getPort({ port: preferred, host });
  if (preferred !== 0 && port !== preferred)
    say(`Port ${preferred} for ${name} is taken by another program; ${name} is on port ${port} instead.`);
  return port;
}
