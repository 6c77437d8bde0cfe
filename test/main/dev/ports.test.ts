import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../../src/main/dev/ports.ts';

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
  expect(await findPort({ name: 'the API', preferred, say: (line) => lines.push(line) })).toBe(preferred);
  expect(lines).toEqual([]);
});

it('another port is used when the preferred one is taken, with a notice', async () => {
  const { port: preferred } = await occupyPort();
  const lines: string[] = [];
  const port = await findPort({ name: 'the API', preferred, say: (line) => lines.push(line) });
  expect(port).not.toBe(preferred);
  expect(lines).toEqual([
    `Port ${preferred} for the API is taken by another program; the API is on port ${port} instead.`,
  ]);
});

it('any free port is used when none is preferred, without a notice', async () => {
  const lines: string[] = [];
  const port = await findPort({ name: 'the API', preferred: 0, say: (line) => lines.push(line) });
  expect(port).toBeGreaterThan(0);
  expect(lines).toEqual([]);
});
