import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { clearLockedPorts } from 'get-port';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../../src/main/dev/ports.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = createTemporaryFolder();
});

async function occupyPort(): Promise<{ port: number; release: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const release = () => void server.close();
  onTestFinished(release);
  return { port: (server.address() as AddressInfo).port, release };
}

it('the preferred port is used when it is free, without a notice', async () => {
  const { port: preferred, release } = await occupyPort();
  release();
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
  release();
  // The next start is another process, which has given out no ports.
  clearLockedPorts();
  expect(await findPort(request)).toBe(first);
  expect(lines[1]).toBe(`Port ${preferred} for the API was taken before; the API is on port ${first} again.`);
});

it('a port that was found instead is not kept for another preferred one or another program', async () => {
  const { port: taken } = await occupyPort();
  const { port: free, release } = await occupyPort();
  release();
  const say = () => undefined;
  const first = await findPort({ name: 'the API', preferred: taken, say, dataDir });
  expect(await findPort({ name: 'the API', preferred: free, say, dataDir })).toBe(free);
  expect(await findPort({ name: 'Postgres', preferred: taken, say, dataDir })).not.toBe(first);
});
