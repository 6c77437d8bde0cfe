import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/main/config.ts';
import { startApi } from '../labs/api-lab.ts';
import { startEverything } from '../servers/mcp-servers.ts';

async function reach(setting: string) {
  const api = await startApi({}, { HOLDFAST_ALLOW_LOOPBACK: setting });
  const server = await startEverything();
  onTestFinished(async () => {
    await api.stop();
    await server.kill();
  });
  const body = { name: 'local', provider: 'mcp', endpoint: server.url, auth: { type: 'none' } };
  const { data } = await api.call('POST', '/api/connections', { body });
  const { error } = await api.call('GET', `/api/connections/${data.connection.id}/mcp-tools`);
  const request = await api.services.fetch(server.url).then(
    () => undefined,
    (refusal: unknown) => (refusal as Error).message,
  );
  return { connection: (error as { message: string } | undefined)?.message, request };
}

test('HOLDFAST_ALLOW_LOOPBACK=connections lets connections reach this machine, and http_request does not', async () => {
  const { connection, request } = await reach('connections');
  expect(connection).toBeUndefined();
  expect(request).toContain('HOLDFAST_ALLOW_LOOPBACK=true for tools');
});

test('without HOLDFAST_ALLOW_LOOPBACK neither does, and the refusals name it', async () => {
  const { connection, request } = await reach('');
  expect(connection).toContain('HOLDFAST_ALLOW_LOOPBACK=connections');
  expect(request).toContain('HOLDFAST_ALLOW_LOOPBACK=connections');
});

test('HOLDFAST_ALLOW_LOOPBACK takes no other value than true, false and connections', () => {
  expect(() => loadConfig({ HOLDFAST_ALLOW_LOOPBACK: 'tools' })).toThrow(
    'HOLDFAST_ALLOW_LOOPBACK: expected true, false or connections',
  );
});
