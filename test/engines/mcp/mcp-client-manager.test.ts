import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/domain/json.ts';
import type { McpToolCall } from '../../../src/engines/mcp/call-tool.ts';
import { containing } from '../../labs/matchers.ts';
import { findFreePort, hang, httpEntry, textResult } from '../../servers/mcp-servers.ts';
import {
  cleanups,
  eventually,
  catchInterruption,
  openManager,
  openScriptedServer,
  openScriptedManager,
} from '../../labs/mcp-manager-lab.ts';

describe('a call over HTTP', () => {
  it('reports the progress of the tool', async () => {
    const { call } = await openScriptedManager({
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

  it('succeeds when the server streams many small messages that exceed the cap together', async () => {
    const { call } = await openScriptedManager(
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

  it('of an unknown tool or server returns a failure and does not throw', async () => {
    const { call, manager } = await openScriptedManager({ note: () => textResult('x') });
    expect(await call('nonsense')).toMatchObject({
      status: 'failed',
      error: { message: containing('nonsense') },
    });
    expect(await manager.callTool({ target: { server: 'other' }, tool: 'x', arguments: {} })).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_CONFIG', message: containing('Known are: own') },
    });
  });

  it('to a server that is down fails as not sent', async () => {
    const manager = openManager({ down: httpEntry(`http://127.0.0.1:${await findFreePort()}/mcp`) });
    const error = await catchInterruption(
      manager.callTool({ target: { server: 'down' }, tool: 'x', arguments: {} }),
    );
    expect(error).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false, retryable: true });
  });

  it('to a metadata address is refused, also when the catalogue has that address', async () => {
    const manager = openManager({ metadata: httpEntry('http://169.254.169.254/mcp') });
    const error = await catchInterruption(
      manager.callTool({ target: { server: 'metadata' }, tool: 'x', arguments: {} }),
    );
    expect(error).toMatchObject({ code: 'EGRESS_REFUSED', sent: false, retryable: false });
  });

  it('shares one session with concurrent calls', async () => {
    const { call, server } = await openScriptedManager({ note: () => textResult('noted') });
    await Promise.all(Array.from({ length: 20 }, () => call('note')));
    expect(server.sessionsOpened()).toBe(1);
  });

  it('sends the headers of the catalogue', async () => {
    const server = await openScriptedServer({ note: () => textResult('noted') });
    const manager = openManager({ own: httpEntry(server.url, { 'x-api-key': 'k1' }) });
    await manager.callTool({ target: { server: 'own' }, tool: 'note', arguments: {} });
    expect(server.lastHeaders()['x-api-key']).toBe('k1');
  });

  it('gets a new session when the old one is too old, and calls over the old one still end', async () => {
    const finish = Promise.withResolvers<undefined>();
    const { call, server } = await openScriptedManager(
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

  it('closes its socket when it times out', async () => {
    const { call, server } = await openScriptedManager({ hang: () => new Promise(() => undefined) });
    await catchInterruption(call('hang', { timeoutMs: 100 }));
    await catchInterruption(call('hang', { timeoutMs: 100 }));
    await catchInterruption(call('hang', { timeoutMs: 100 }));
    // Only the stream for notifications and the idle sockets of keep-alive are left.
    await eventually(async () => (await server.sockets()) <= 3);
  });
});

describe('a server that accepts sockets and never answers', () => {
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
    const manager = openManager({ silent: httpEntry(`http://127.0.0.1:${port}/mcp`) });
    const call = (more: Partial<McpToolCall> = {}) =>
      manager.callTool({ target: { server: 'silent' }, tool: 'x', arguments: {}, ...more });
    return { manager, call, sockets };
  }

  it('times out with the call, which fails as not sent', async () => {
    const { call } = await silentManager();
    const error = await catchInterruption(call({ timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: false });
  });

  it('does not delay an abort of the call', async () => {
    const { call, sockets } = await silentManager();
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const outcome = call({ signal: controller.signal }).catch((error: unknown) => error);
    await eventually(() => sockets.length > 0);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it('does not delay closing the manager', async () => {
    const { manager, call, sockets } = await silentManager();
    const outcome = catchInterruption(call());
    await eventually(() => sockets.length > 0);
    await manager.close();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
  });
});

describe('closing the manager', () => {
  it('ends sessions, sockets and running calls', async () => {
    const { call, server, manager } = await openScriptedManager({ hang });
    const outcome = catchInterruption(call('hang'));
    await eventually(() => server.calls.has('hang -'));
    await manager.close();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
    await eventually(async () => (await server.sockets()) === 0);
    expect(server.sessionsOpen()).toBe(0);
  });

  it('makes later calls fail as not sent', async () => {
    const { call, manager } = await openScriptedManager({ note: () => textResult('x') });
    await manager.close();
    expect(await catchInterruption(call('note'))).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
  });
});

describe('listing tools', () => {
  it('fails for a server that is unknown or down', async () => {
    const manager = openManager({ down: httpEntry(`http://127.0.0.1:${await findFreePort()}/mcp`) });
    await expect(manager.listTools({ server: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(manager.listTools({ server: 'down' })).rejects.toMatchObject({ code: 'TOOL_UNREACHABLE' });
  });

  it('returns name, description and schema', async () => {
    const { manager } = await openScriptedManager({ note: () => textResult('x') });
    expect(await manager.listTools({ server: 'own' })).toMatchObject([
      { name: 'note', description: 'note', inputSchema: { type: 'object' } },
    ]);
  });
});
