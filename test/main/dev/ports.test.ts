import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort, findPort } from '../../../src/main/dev/ports.ts';

async function occupyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('takes the preferred port when it is free, without a word', async () => {
  const preferred = await findFreePort();
  const lines: string[] = [];
  expect(await findPort({ name: 'the API', preferred, say: (line) => lines.push(line) })).toBe(preferred);
  expect(lines).toEqual([]);
});

it('takes another port when the preferred one is taken, and says so', async () => {
  const preferred = await occupyPort();
  const lines: string[] = [];
  const port = await findPort({ name: 'the API', preferred, say: (line) => lines.push(line) });
  expect(port).not.toBe(preferred);
  expect(lines).toEqual([
    `Port ${preferred} for the API is taken by another program; the API is on port ${port} instead.`,
  ]);
});
