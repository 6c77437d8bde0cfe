import { describe, expect, it } from 'vitest';
import { hang, findFreePort, httpEntry, textResult, type ScriptedTool } from '../../servers/mcp-servers.ts';
import {
  cleanups,
  openLoopbackConnection,
  eventually,
  catchInterruption,
  openManager,
  openScriptedServer,
} from '../../labs/mcp-manager-lab.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

const note: ScriptedTool = () => textResult('noted');

describe('calls over sessions', () => {
  it('send the credentials of their own connection', async () => {
    const server = await openScriptedServer({ note });
    const manager = openManager({});
    for (const token of ['first', 'second']) {
      await manager.callTool({
        target: openLoopbackConnection({ endpoint: server.url, token }),
        tool: 'note',
        arguments: {},
      });
      expect(server.lastHeaders().authorization).toBe(`Bearer ${token}`);
    }
  });

  it('share a session only within the same workspace and credentials', async () => {
    const server = await openScriptedServer({ note });
    const manager = openManager({ own: httpEntry(server.url) });
    const call = (target: Parameters<typeof manager.listTools>[0]) =>
      manager.callTool({ target, tool: 'note', arguments: {} });
    const [id, workspaceId] = [newId(), newId()];
    const open = (parts: object) =>
      openLoopbackConnection({ endpoint: server.url, id, workspaceId, ...parts });
    await Promise.all([call(open({})), call(open({})), call(open({}))]);
    expect(server.sessionsOpened()).toBe(1);
    await call(open({ workspaceId: newId() }));
    await call(open({ id: newId() }));
    await call(open({ updatedAt: '2026-07-02T12:00:00.000Z' }));
    expect(server.sessionsOpened()).toBe(4);
    await Promise.all([call({ server: 'own', workspaceId }), call({ server: 'own', workspaceId })]);
    await call({ server: 'own', workspaceId: newId() });
    expect(server.sessionsOpened()).toBe(6);
    expect(manager.size()).toBe(6);
  });

  it('close every session of a server when it is disconnected, for all versions of its credentials', async () => {
    const server = await openScriptedServer({ note });
    const other = await openScriptedServer({ note });
    const manager = openManager({});
    const [id, workspaceId] = [newId(), newId()];
    const old = openLoopbackConnection({ endpoint: server.url, id, workspaceId });
    const renewed = openLoopbackConnection({
      endpoint: server.url,
      id,
      workspaceId,
      updatedAt: '2026-07-02T12:00:00.000Z',
    });
    for (const target of [old, renewed, openLoopbackConnection({ endpoint: other.url })])
      await manager.listTools(target);
    await manager.disconnect(old);
    expect([server.sessionsOpen(), other.sessionsOpen(), manager.size()]).toEqual([0, 1, 1]);
    await manager.disconnect();
    expect([other.sessionsOpen(), manager.size()]).toEqual([0, 0]);
    expect(await manager.listTools(old)).toHaveLength(1);
  });

  it('close their session by the id of its connection, also when the connection was deleted', async () => {
    const server = await openScriptedServer({ note });
    const manager = openManager({});
    const [id, workspaceId] = [newId(), newId()];
    await manager.listTools(openLoopbackConnection({ endpoint: server.url, id, workspaceId }));
    await manager.disconnect({ workspaceId: newId(), connectionId: id });
    await manager.disconnect({ workspaceId, connectionId: newId() });
    expect([server.sessionsOpen(), manager.size()]).toEqual([1, 1]);
    await manager.disconnect({ workspaceId, connectionId: id });
    expect([server.sessionsOpen(), manager.size()]).toEqual([0, 0]);
  });

  it('leave no socket open', async () => {
    const server = await openScriptedServer({ note });
    const manager = openManager({});
    const fetches = Array.from({ length: 10 }, () => openLoopbackConnection({ endpoint: server.url }));
    await Promise.all(fetches.map((target) => manager.callTool({ target, tool: 'note', arguments: {} })));
    expect(server.sessionsOpen()).toBe(10);
    await manager.close();
    for (const cleanup of cleanups.splice(-10)) await cleanup();
    await eventually(async () => (await server.sockets()) === 0);
    expect(server.sessionsOpen()).toBe(0);
  });

  it('redact a secret that the server repeats', async () => {
    const leaky = await openScriptedServer({
      echo: () => ({ ...textResult('you sent tok-4711'), structuredContent: { seen: 'Bearer tok-4711' } }),
      fail: () => ({ ...textResult('tok-4711 is wrong'), isError: true }),
    });
    const target = openLoopbackConnection({ endpoint: leaky.url, token: 'tok-4711' });
    const manager = openManager({});
    const results = await Promise.all(
      ['echo', 'fail', 'missing-tok-4711'].map((tool) => manager.callTool({ target, tool, arguments: {} })),
    );
    expect(JSON.stringify(results)).not.toContain('tok-4711');
    expect(results[0]).toMatchObject({ content: { structuredContent: { seen: 'Bearer [redacted]' } } });
  });

  it('redact renewed credentials of a shared session for a caller that does not have them', async () => {
    const leaky = await openScriptedServer({ echo: () => textResult('you sent tok-renewed') });
    const manager = openManager({});
    const same = { endpoint: leaky.url, id: newId(), workspaceId: newId() };
    await manager.listTools(openLoopbackConnection({ ...same, token: 'tok-renewed' }));
    const target = openLoopbackConnection({ ...same, token: 'tok-before' });
    const result = await manager.callTool({ target, tool: 'echo', arguments: {} });
    expect(leaky.sessionsOpened()).toBe(1);
    expect(result).toMatchObject({ status: 'succeeded', text: 'you sent [redacted]' });
  });
});

describe('the limits of the session pool', () => {
  it('close idle sessions to open new ones', async () => {
    const server = await openScriptedServer({ note });
    const manager = openManager({}, { maxSessions: 3 });
    for (let times = 0; times < 6; times += 1) {
      await manager.callTool({
        target: openLoopbackConnection({ endpoint: server.url }),
        tool: 'note',
        arguments: {},
      });
      expect(manager.size()).toBeLessThanOrEqual(3);
    }
    await eventually(() => server.sessionsOpen() === 3);
  });

  it('prevent one workspace from taking the sessions of the others', async () => {
    const server = await openScriptedServer({ note, hang });
    const manager = openManager({}, { maxSessions: 4, maxSessionsPerWorkspace: 2 });
    const greedy = newId();
    const controller = new AbortController();
    const open = (workspaceId: string) => openLoopbackConnection({ endpoint: server.url, workspaceId });
    const held = [1, 2].map(() =>
      manager
        .callTool({ target: open(greedy), tool: 'hang', arguments: {}, signal: controller.signal })
        .catch(() => 'aborted'),
    );
    await eventually(() => server.calls.get('hang -') === 2);
    const third = manager.callTool({ target: open(greedy), tool: 'note', arguments: {} });
    expect(await catchInterruption(third)).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent: false,
      retryable: true,
    });
    expect(await manager.callTool({ target: open(newId()), tool: 'note', arguments: {} })).toMatchObject({
      status: 'succeeded',
    });
    controller.abort();
    expect(await Promise.all(held)).toEqual(['aborted', 'aborted']);
  });
});

describe('a server that fails repeatedly', () => {
  it('gets no calls for a while, and is then tried again', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}/mcp`;
    const clock = { now: Date.now() };
    const manager = openManager({}, { breaker: { maxFailures: 2, openMs: 60_000, now: () => clock.now } });
    const target = openLoopbackConnection({ endpoint });
    const call = () => manager.callTool({ target, tool: 'note', arguments: {} });
    for (let times = 0; times < 2; times += 1) {
      expect(await catchInterruption(call())).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
    }
    const retryAt = new Date(clock.now + 60_000).toISOString();
    expect(await catchInterruption(call())).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent: false,
      retryable: true,
      retryAfterMs: expect.any(Number) as number,
      details: { retryAt },
    });
    await expect(manager.listTools(target)).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' });
    expect(
      await catchInterruption(manager.callTool({ ...other(), tool: 'note', arguments: {} })),
    ).toMatchObject({
      code: 'TOOL_UNREACHABLE',
    });
    clock.now += 60_000;
    expect(await catchInterruption(call())).toMatchObject({ code: 'TOOL_UNREACHABLE' });
    expect(await catchInterruption(call())).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: false });

    function other() {
      return { target: openLoopbackConnection({ endpoint }) };
    }
  });
});
