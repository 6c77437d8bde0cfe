import { describe, expect, it } from 'vitest';
import { containing } from '../labs/matchers.ts';
import { hang, textResult } from '../servers/mcp-servers.ts';
import { eventually, interruptionOf, scriptedManager } from '../labs/mcp-manager-lab.ts';

describe.each([{ json: false }, { json: true }])('a call over HTTP (JSON answers: $json)', ({ json }) => {
  it('carries the idempotency key', async () => {
    const { call, server } = await scriptedManager(
      { note: ({ idempotencyKey }) => textResult(`key ${idempotencyKey}`) },
      { json },
    );
    expect(await call('note', { idempotencyKey: 'abc' })).toEqual({ status: 'succeeded', text: 'key abc' });
    expect(server.calls).toEqual(new Map([['note abc', 1]]));
  });

  it('fails when the tool says so', async () => {
    const { call } = await scriptedManager(
      { fail: () => ({ ...textResult('no stock left'), isError: true }) },
      { json },
    );
    expect(await call('fail')).toEqual({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: 'no stock left' },
    });
  });

  it('ends in time when the tool never answers, and cancels it', async () => {
    const { call, server } = await scriptedManager({ hang }, { json });
    const error = await interruptionOf(call('hang', { timeoutMs: 300 }));
    expect(error).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
    await eventually(() => server.cancelled.includes('hang'));
  });

  it('stops with the reason of the signal, and cancels the tool', async () => {
    const running = Promise.withResolvers<undefined>();
    const { call, server } = await scriptedManager(
      {
        hang(scriptedCall) {
          running.resolve(undefined);
          return hang(scriptedCall);
        },
      },
      { json },
    );
    const controller = new AbortController();
    const reason = new Error('the turn was cancelled');
    const outcome = call('hang', { signal: controller.signal }).catch((error: unknown) => error);
    await running.promise;
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await eventually(() => server.cancelled.includes('hang'));
  });

  it('does not start when its signal has fired', async () => {
    const { call, server } = await scriptedManager({ note: () => textResult('x') }, { json });
    const reason = new Error('too late');
    await expect(call('note', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.calls.size).toBe(0);
  });

  it('fails clearly when the result is 5 MB, and leaves the connection usable', async () => {
    const { call } = await scriptedManager(
      { big: () => textResult('x'.repeat(5_000_000)), small: () => textResult('small') },
      { json },
    );
    expect(await call('big')).toMatchObject({
      status: 'failed',
      error: { code: 'RESPONSE_TOO_LARGE', message: containing('1048576 bytes') },
    });
    expect(await call('small')).toEqual({ status: 'succeeded', text: 'small' });
  });

  it('leaves the outcome open when the connection is cut', async () => {
    const running = Promise.withResolvers<undefined>();
    const { call, server } = await scriptedManager(
      {
        hang(scriptedCall) {
          running.resolve(undefined);
          return hang(scriptedCall);
        },
      },
      { json },
    );
    const outcome = interruptionOf(call('hang'));
    await running.promise;
    server.cutConnections();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  it('survives a server that forgot its sessions', async () => {
    const { call, server } = await scriptedManager({ note: () => textResult('noted') }, { json });
    await call('note', { idempotencyKey: 'one' });
    server.forgetSessions();
    expect(await call('note', { idempotencyKey: 'two' })).toEqual({ status: 'succeeded', text: 'noted' });
    expect(server.calls.get('note two')).toBe(1);
    expect(server.sessionsOpened()).toBe(2);
  });
});
