import pino from 'pino';
import { expect, test } from 'vitest';
import { hidden } from '../../../src/platform/http/access.ts';
import type { Door } from '../../../src/platform/http/door.ts';
import { createServer } from '../../../src/platform/http/server.ts';
import type { ServerDependencies } from '../../../src/platform/http/server-dependencies.ts';

const dependencies = { logger: pino({ level: 'silent' }) } as unknown as ServerDependencies;

async function start(...doors: Door[]): Promise<number> {
  const server = await createServer(dependencies, doors);
  try {
    return (await server.inject('/page')).statusCode;
  } finally {
    await server.close();
  }
}

test('a server with a route that names neither a right nor why it is open does not start', async () => {
  const open: Door = (server) => void server.get('/page', () => 'text');
  const message = '/page names neither the right of its callers nor why it is open';
  await expect(start(open)).rejects.toThrow(message);
  await expect(
    start((server) => void server.register((inner) => open(inner, {}, AbortSignal.abort()))),
  ).rejects.toThrow(message);
});

test.each([
  [{ right: 'agents.read' } as const, 401],
  [{ open: 'It shows nothing.' }, 200],
])('a route with %j answers a request without a key with %i', async (access, status) => {
  expect(await start((server) => void server.get('/page', hidden(access), () => 'text'))).toBe(status);
});
