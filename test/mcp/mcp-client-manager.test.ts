import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/domain/json.ts';
import type { McpToolCall } from '../../src/mcp/call-tool.ts';
import { containing } from '../labs/matchers.ts';
import { findFreePort, hang, httpEntry, textResult } from '../servers/mcp-servers.ts';
import {
  cleanups,
  eventually,
  interruptionOf,
  managerOf,
  scripted,
  scriptedManager,
} from '../labs/mcp-manager-lab.ts';

describe('a call over HTTP', () => {
  it('reports progress', async () => {
    const { call } = await scriptedManager({
      async work({ reportProgress }) {
        await reportProgress(1, 2, 'half');
        await reportProgress(2, 2, 'all');
        return textResult('done');
      },
    });
    const details: JsonValue[] = [];
    await call('work', { onProgress: (detail) => details.push(detail) });
    expect(details).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2, message: 'all' },
    ]);
  });

  it('is not held up by a stream of more than the cap in small messages', async () => {
    const { call } = await scriptedManager(
      {
        async talk({ reportProgress }) {
          for (let step = 1; step <= 40; step++) await reportProgress(step, 40, 'x'.repeat(1_000));
          return textResult('done');
        },
      },
      { maxMessageBytes: 10_000 },
    );
    expect(await call('talk', { onProgress: () => undefined })).toEqual({
      status: 'succeeded',
      text: 'done',
    });
  });

  it('of an unknown tool or server is answered, not thrown', async () => {
    const { call, manager } = await scriptedManager({ note: () => textResult('x') });
    expect(await call('nonsense')).toMatchObject({
      status: 'failed',
      error: { message: containing('nonsense') },
    });
    expect(await manager.callTool({ target: { server: 'other' }, tool: 'x', arguments: {} })).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_CONFIG', message: containing('Known are: own') },
    });
  });

  it('to a server that is down was not sent', async () => {
    const manager = managerOf({ down: httpEntry(`http://127.0.0.1:${await findFreePort()}/mcp`) });
    const error = await interruptionOf(
      manager.callTool({ target: { server: 'down' }, tool: 'x', arguments: {} }),
    );
    expect(error).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false, retryable: true });
  });

  it('to a metadata address is refused, also when it is in the catalogue', async () => {
    const manager = managerOf({ metadata: httpEntry('http://169.254.169.254/mcp') });
    const error = await interruptionOf(
      manager.callTool({ target: { server: 'metadata' }, tool: 'x', arguments: {} }),
    );
    expect(error).toMatchObject({ code: 'EGRESS_REFUSED', sent: false, retryable: false });
  });

  it('shares one connection with the calls beside it', async () => {
    const { call, server } = await scriptedManager({ note: () => textResult('noted') });
    await Promise.all(Array.from({ length: 20 }, () => call('note')));
    expect(server.sessionsOpened()).toBe(1);
  });

  it('sends the headers of the catalogue', async () => {
    const server = await scripted({ note: () => textResult('noted') });
    const manager = managerOf({ own: httpEntry(server.url, { 'x-api-key': 'k1' }) });
    await manager.callTool({ target: { server: 'own' }, tool: 'note', arguments: {} });
    expect(server.lastHeaders()['x-api-key']).toBe('k1');
  });

  it('gets a new connection when the old one is too old, while the old one ends its calls', async () => {
    const finish = Promise.withResolvers<undefined>();
    const { call, server } = await scriptedManager(
      {
        async slow() {
          await finish.promise;
          return textResult('slow');
        },
        note: () => textResult('noted'),
      },
      { maxAgeMs: 1 },
    );
    const slow = call('slow');
    await eventually(() => server.calls.has('slow -'));
    await call('note');
    expect(server.sessionsOpened()).toBe(2);
    finish.resolve(undefined);
    expect(await slow).toEqual({ status: 'succeeded', text: 'slow' });
  });

  it('that timed out keeps no socket open', async () => {
    const { call, server } = await scriptedManager({ hang: () => new Promise(() => undefined) });
    await interruptionOf(call('hang', { timeoutMs: 100 }));
    await interruptionOf(call('hang', { timeoutMs: 100 }));
    await interruptionOf(call('hang', { timeoutMs: 100 }));
    // Only the stream for notifications and the idle sockets of keep-alive are left.
    await eventually(async () => (await server.sockets()) <= 3);
  });
});

describe('a server that accepts connections and says nothing', () => {
  async function silentManager() {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const manager = managerOf({ silent: httpEntry(`http://127.0.0.1:${port}/mcp`) });
    const call = (more: Partial<McpToolCall> = {}) =>
      manager.callTool({ target: { server: 'silent' }, tool: 'x', arguments: {}, ...more });
    return { manager, call, sockets };
  }

  it('is waited for no longer than the call may take, and nothing was sent', async () => {
    const { call } = await silentManager();
    const error = await interruptionOf(call({ timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: false });
  });

  it('does not hold up an abort', async () => {
    const { call, sockets } = await silentManager();
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const outcome = call({ signal: controller.signal }).catch((error: unknown) => error);
    await eventually(() => sockets.length > 0);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it('does not hold up the closing of the manager', async () => {
    const { manager, call, sockets } = await silentManager();
    const outcome = interruptionOf(call());
    await eventually(() => sockets.length > 0);
    await manager.close();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
  });
});

describe('closing the manager', () => {
  it('ends sessions and sockets, and the calls under way', async () => {
    const { call, server, manager } = await scriptedManager({ hang });
    const outcome = interruptionOf(call('hang'));
    await eventually(() => server.calls.has('hang -'));
    await manager.close();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
    await eventually(async () => (await server.sockets()) === 0);
    expect(server.sessionsOpen()).toBe(0);
  });

  it('refuses later calls', async () => {
    const { call, manager } = await scriptedManager({ note: () => textResult('x') });
    await manager.close();
    expect(await interruptionOf(call('note'))).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
  });
});

describe('listing tools', () => {
  it('fails for a name that is not in the catalogue, and for a server that is down', async () => {
    const manager = managerOf({ down: httpEntry(`http://127.0.0.1:${await findFreePort()}/mcp`) });
    await expect(manager.listTools({ server: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(manager.listTools({ server: 'down' })).rejects.toMatchObject({ code: 'TOOL_UNREACHABLE' });
  });

  it('names description and schema', async () => {
    const { manager } = await scriptedManager({ note: () => textResult('x') });
    expect(await manager.listTools({ server: 'own' })).toMatchObject([
      { name: 'note', description: 'note', inputSchema: { type: 'object' } },
    ]);
  });
});
