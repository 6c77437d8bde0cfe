import { describe, expect, it } from 'vitest';
import { containing } from '../../labs/matchers.ts';
import { hang, textResult } from '../../servers/mcp-servers.ts';
import { eventually, catchInterruption, openScriptedManager } from '../../labs/mcp-manager-lab.ts';

describe.each([{ json: false }, { json: true }])('a call over HTTP (JSON answers: $json)', ({ json }) => {
  it('has the idempotency key', async () => {
    const { call, server } = await openScriptedManager(
      { note: ({ idempotencyKey }) => textResult(`key ${idempotencyKey}`) },
      { json },
    );
    expect(await call('note', { idempotencyKey: 'abc' })).toEqual({ status: 'succeeded', text: 'key abc' });
    expect(server.calls).toEqual(new Map([['note abc', 1]]));
  });

  it('fails when the tool returns an error', async () => {
    const { call } = await openScriptedManager(
      { fail: () => ({ ...textResult('no stock left'), isError: true }) },
      { json },
    );
    expect(await call('fail')).toEqual({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: 'no stock left' },
    });
  });

  it('times out when the tool never answers, and is cancelled at the server', async () => {
    const { call, server } = await openScriptedManager({ hang }, { json });
    const error = await catchInterruption(call('hang', { timeoutMs: 300 }));
    expect(error).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
    await eventually(() => server.cancelled.includes('hang'));
  });

  it('is aborted with the reason of the signal, and is cancelled at the server', async () => {
    const running = Promise.withResolvers<undefined>();
    const { call, server } = await openScriptedManager(
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

  it('is not sent when its signal is already aborted', async () => {
    const { call, server } = await openScriptedManager({ note: () => textResult('x') }, { json });
    const reason = new Error('too late');
    await expect(call('note', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.calls.size).toBe(0);
  });

  it('fails when the result has 5 MB, and later calls still work', async () => {
    const { call } = await openScriptedManager(
      { big: () => textResult('x'.repeat(5_000_000)), small: () => textResult('small') },
      { json },
    );
    expect(await call('big')).toMatchObject({
      status: 'failed',
      error: { code: 'RESPONSE_TOO_LARGE', message: containing('1048576 bytes') },
    });
    expect(await call('small')).toEqual({ status: 'succeeded', text: 'small' });
  });

  it('leaves the outcome unknown when the socket is closed', async () => {
    const running = Promise.withResolvers<undefined>();
    const { call, server } = await openScriptedManager(
      {
        hang(scriptedCall) {
          running.resolve(undefined);
          return hang(scriptedCall);
        },
      },
      { json },
    );
    const outcome = catchInterruption(call('hang'));
    await running.promise;
    server.cutConnections();
    expect(await outcome).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  it('succeeds when the server has forgotten its session', async () => {
    const { call, server } = await openScriptedManager({ note: () => textResult('noted') }, { json });
    await call('note', { idempotencyKey: 'one' });
    server.forgetSessions();
    expect(await call('note', { idempotencyKey: 'two' })).toEqual({ status: 'succeeded', text: 'noted' });
    expect(server.calls.get('note two')).toBe(1);
    expect(server.sessionsOpened()).toBe(2);
  });
});
