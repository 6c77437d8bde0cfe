import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import { z } from 'zod';
import type { Say } from './say.ts';

const host = '127.0.0.1';

/** The ports of the last start, by the name of the program; `instead` is the preferred port that was taken then. */
const keptPortsSchema = z.record(z.string(), z.object({ instead: z.int(), port: z.int() }));

/**
 * A random port from 10,000 to 30,000 that is free on the loopback address at this moment. No other call returns it in
 * the next 15 seconds. Linux gives the ports above 32,767 to outgoing connections, and one of these could take such a
 * port before its program listens.
 */
export function findFreePort(): Promise<number> {
  return getPort({ host, port: Array.from({ length: 20 }, () => randomInt(10_000, 30_000)) });
}

interface PortRequest {
  /** The program that will listen there, for the message. */
  name: string;
  /** 0 for any free port. */
  preferred: number;
  say: Say;
  /** Keeps a port that was found instead of the preferred one, so that the next start takes it again. */
  dataDir: string;
}

/**
 * Returns the preferred port. When it is taken, prints a message and returns a free one, which stays the port of the
 * program over this data folder as long as it is free.
 */
export async function findPort({ name, preferred, say, dataDir }: PortRequest): Promise<number> {
  if (preferred === 0) return findFreePort();
  const kept = readKeptPorts(dataDir)[name];
  const before = kept?.instead === preferred ? kept.port : undefined;
  const port = await getPort({ host, port: before === undefined ? preferred : [before, preferred] });
  if (port === preferred) return port;
  if (port === before) {
    say(`Port ${preferred} for ${name} was taken before; ${name} is on port ${port} again.`);
    return port;
  }
  say(`Port ${preferred} for ${name} is taken by another program; ${name} is on port ${port} instead.`);
  // Read again, since other programs look for their ports at the same time.
  const ports = { ...readKeptPorts(dataDir), [name]: { instead: preferred, port } };
  writeFileSync(toFile(dataDir), `${JSON.stringify(ports, null, 2)}\n`);
  return port;
}

function readKeptPorts(dataDir: string): z.infer<typeof keptPortsSchema> {
  if (!existsSync(toFile(dataDir))) return {};
  const parsed = keptPortsSchema.safeParse(toJson(readFileSync(toFile(dataDir), 'utf8')));
  return parsed.success ? parsed.data : {};
}

/** A file that was cut off while it was written counts as none. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toFile(dataDir: string): string {
  return path.join(dataDir, 'ports.json');
}
