import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { clearLockedPorts } from 'get-port';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../../src/main/dev/ports.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = createTemporaryFolder();
  // Other test files of this process have been given ports too.
  clearLockedPorts();
});

/**
 * Listens on a random port between 10,000 and 30,000. The system gives out ports above 32,767 (Linux) to the
 * connections of other programs, so a port of that range may be taken again as soon as it is released.
 */
async function occupyPort(): Promise<{ port: number; release: () => Promise<void> }> {
  const port = randomInt(10_000, 30_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return occupyPort();
    throw error;
  }
  const release = async () => {
    if (server.listening) await promisify(server.close.bind(server))();
  };
  onTestFinished(release);
  return { port, release };
}

it('the preferred port is used when it is free, without a notice', async () => {
  const { port: preferred, release } = await occupyPort();
  await release();
  const lines: string[] = [];
  expect(await findPort({ name: 'the API', preferred, say: (line) => lines.push(line), dataDir })).toBe(
    preferred,
  );
  expect(lines).toEqual([]);
});

it('another port is used when the preferred one is taken, with a notice', async () => {
  const { port: preferred } = await occupyPort();
  const lines: string[] = [];
  const port = await findPort({ name: 'the API', preferred, say: (line) => lines.push(line), dataDir });
  expect(port).not.toBe(preferred);
  expect(lines).toEqual([
    `Port ${preferred} for the API is taken by another program; the API is on port ${port} instead.`,
  ]);
});

it('any free port is used when none is preferred, without a notice', async () => {
  const lines: string[] = [];
  const port = await findPort({ name: 'the API', preferred: 0, say: (line) => lines.push(line), dataDir });
  expect(port).toBeGreaterThan(0);
  expect(lines).toEqual([]);
});

it('a port that was found instead is taken again, also when the preferred one is free', async () => {
  const { port: preferred, release } = await occupyPort();
  const lines: string[] = [];
  const request = { name: 'the API', preferred, say: (line: string) => void lines.push(line), dataDir };
  const first = await findPort(request);
  await release();
  // The next start is another process, which has given out no ports.
  clearLockedPorts();
  expect(await findPort(request)).toBe(first);
  expect(lines[1]).toBe(`Port ${preferred} for the API was taken before; the API is on port ${first} again.`);
});

it('a port that was found instead is not kept for another preferred one or another program', async () => {
  const { port: taken } = await occupyPort();
  const { port: free, release } = await occupyPort();
  await release();
  const say = () => undefined;
  const first = await findPort({ name: 'the API', preferred: taken, say, dataDir });
  expect(await findPort({ name: 'the API', preferred: free, say, dataDir })).toBe(free);
  expect(await findPort({ name: 'Postgres', preferred: taken, say, dataDir })).not.toBe(first);
});
