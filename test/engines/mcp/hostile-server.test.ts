import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { hostilities, startHostileServer, type Hostility } from '../../servers/hostile-mcp-server.ts';
import { textResult } from '../../servers/mcp-servers.ts';
import {
  cleanups,
  openLoopbackConnection,
  eventually,
  catchInterruption,
  openManager,
  openScriptedServer,
} from '../../labs/mcp-manager-lab.ts';

async function hostileScene(hostility: Hostility | null) {
  const server = await startHostileServer(hostility);
  cleanups.push(() => server.close());
  const token = randomBytes(16).toString('hex');
  const target = openLoopbackConnection({ endpoint: server.url, token });
  const manager = openManager({});
  // Enough for a busy machine to open the session and to send the call before the time is over.
  const call = (timeoutMs = 1_500) =>
    manager.callTool({ target, tool: 'note', arguments: {}, timeoutMs, onProgress: () => undefined });
  return { server, manager, target, call, token };
}

type Expected = { status: 'failed'; code: string } | { sent: boolean; code: string };

/** Returns the outcome of a call: the server's answer, or whether the call was sent. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof HoldfastError)) {
    const { status, error } = outcome as { status: string; error?: { code: string } };
    return { status, code: error?.code };
  }
  return { sent: (outcome as HoldfastError & { sent: boolean }).sent, code: outcome.code };
}

const expected: Record<(typeof hostilities)[number], Expected> = {
  'never-answers': { code: 'TOOL_TIMED_OUT', sent: true },
  'drops-the-stream': { code: 'TOOL_UNAVAILABLE', sent: true },
  'sends-100-mb': { status: 'failed', code: 'RESPONSE_TOO_LARGE' },
  'sends-100-mb-of-events': { status: 'failed', code: 'RESPONSE_TOO_LARGE' },
  'wrong-id': { code: 'TOOL_UNAVAILABLE', sent: true },
  'wrong-id-in-a-stream': { code: 'TOOL_UNAVAILABLE', sent: true },
  'invalid-json': { code: 'TOOL_UNAVAILABLE', sent: true },
  'invalid-json-in-a-stream': { code: 'TOOL_UNAVAILABLE', sent: true },
  'accepts-without-an-answer': { code: 'TOOL_UNAVAILABLE', sent: true },
  redirects: { code: 'TOOL_FAILED', sent: true },
  'redirects-after-the-call': { code: 'TOOL_FAILED', sent: true },
  'answers-with-a-page': { code: 'TOOL_FAILED', sent: true },
  'answers-404-without-a-session': { status: 'failed', code: 'TOOL_FAILED' },
  'answers-400-with-100-mb': { status: 'failed', code: 'TOOL_FAILED' },
  'asks-for-foreign-authorization': { status: 'failed', code: 'TOOL_FAILED' },
  'asks-for-more-scope': { status: 'failed', code: 'TOOL_FAILED' },
  'endless-progress': { code: 'TOOL_TIMED_OUT', sent: true },
};

describe.each(hostilities)('a server that %s', (hostility) => {
  it('cannot make a call exceed its time, hide how far it got, or get a secret sent to another origin', async () => {
    const { server, call, token } = await hostileScene(hostility);
    expect(await outcomeOf(call())).toEqual(expected[hostility]);
    expect(await outcomeOf(call())).toEqual(expected[hostility]);
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(2);
    expect(server.foreignRequests).toEqual([]);
    expect(JSON.stringify(await call().catch((error: unknown) => String(error)))).not.toContain(token);
  });

  it('leaves no socket open after its call', async () => {
    const { server, call, manager } = await hostileScene(hostility);
    await Promise.all(Array.from({ length: 6 }, () => outcomeOf(call())));
    await manager.disconnect();
    // Only the idle sockets of keep-alive are left.
    await eventually(async () => (await server.sockets()) <= 7);
    await manager.close();
    expect(manager.size()).toBe(0);
  });
});

describe('a server that forgets every session', () => {
  it('gets a call twice at most, and the outcome is unknown', async () => {
    const { server, call } = await hostileScene('forgets-every-session');
    expect(await catchInterruption(call())).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent: true,
      retryable: false,
    });
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(2);
  });
});

describe('a server that never answers', () => {
  it('is notified when its call is cancelled', async () => {
    const { server, call } = await hostileScene('never-answers');
    await catchInterruption(call());
    await eventually(() => server.cancelled.length === 1);
  });

  it('gets a new session after two calls without an answer', async () => {
    const { server, call } = await hostileScene('never-answers');
    for (let times = 0; times < 3; times += 1) await catchInterruption(call(200));
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(2);
  });

  it('does not delay the calls of another tenant', async () => {
    const { manager, call } = await hostileScene('never-answers');
    const good = await openScriptedServer({ note: () => textResult('noted') });
    const target = openLoopbackConnection({ endpoint: good.url });
    let isStuck = true;
    const stuck = Promise.all(Array.from({ length: 20 }, () => outcomeOf(call(5_000)))).finally(() => {
      isStuck = false;
    });
    for (let times = 0; times < 20; times += 1) {
      const result = await manager.callTool({ target, tool: 'note', arguments: {} });
      expect(result).toEqual({ status: 'succeeded', text: 'noted' });
    }
    expect(isStuck).toBe(true);
    await manager.close();
    await stuck;
  });
});

describe('a server that changes a definition between list and call', () => {
  it('is detected when it announces the change', async () => {
    const { server, manager, target } = await hostileScene(null);
    const before = await manager.listTools(target);
    server.changeDefinition(true);
    await eventually(async () => {
      const now = await manager.listTools(target, { maxAgeMs: 60_000 });
      return now[0]?.description !== before[0]?.description;
    });
  });

  it('is detected at the latest when the cached list is too old', async () => {
    const { server, manager, target } = await hostileScene(null);
    const before = await manager.listTools(target);
    server.changeDefinition(false);
    expect(await manager.listTools(target, { maxAgeMs: 60_000 })).toEqual(before);
    expect(await manager.listTools(target)).not.toEqual(before);
  });
});
