import { describe, expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch } from '../../../src/platform/egress/guarded-fetch.ts';
import { postMessage } from '../../../src/modules/webhooks/post-message.ts';
import { startVendorServer, type VendorReply } from '../../servers/vendor-server.ts';

async function startReceiver(...replies: VendorReply[]) {
  const receiver = await startVendorServer();
  onTestFinished(receiver.close);
  receiver.next(...replies);
  return receiver;
}

function post(url: string, { allowLoopback = true, secrets = [] as string[], timeoutMs = 5_000 } = {}) {
  const fetch = createGuardedFetch({ allowLoopback, maxBodyBytes: 64 * 1024 });
  onTestFinished(() => fetch.close());
  return postMessage(fetch, { url, headers: { 'webhook-id': 'one' }, body: '{}', secrets, timeoutMs });
}

describe('a message is posted', () => {
  test('as JSON, and any 2xx is a success', async () => {
    const receiver = await startReceiver({ status: 202, body: 'thanks' });
    expect(await post(`${receiver.url}/hook?a=b`)).toEqual({
      status: 202,
      answer: 'thanks',
      error: null,
      retryAfterMs: null,
    });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        target: '/hook?a=b',
        body: '{}',
        headers: { 'webhook-id': 'one', 'content-type': 'application/json' },
      },
    ]);
  });

  test('and no redirect is followed', async () => {
    const other = await startReceiver();
    const receiver = await startReceiver({ status: 307, headers: { location: other.url } });
    expect(await post(receiver.url)).toMatchObject({
      status: 307,
      error: 'It answered 307; redirects are not followed.',
    });
    expect(other.requests).toEqual([]);
  });

  test.each([
    'http://127.0.0.1:4499',
    'http://localhost:4499',
    'http://[::1]:4499',
    'http://169.254.169.254',
  ])('never to %s, unless loopback is allowed', async (url) => {
    const posted = await post(url, { allowLoopback: false });
    expect(posted).toMatchObject({ status: null, answer: null });
    expect(posted.error).toMatch(/^Requests to \S+ are refused/);
  });

  test('and a receiver that does not answer in time has failed', async () => {
    const receiver = await startReceiver('hang');
    expect(await post(receiver.url, { timeoutMs: 200 })).toEqual({
      status: null,
      answer: null,
      error: 'It did not answer within 0.2 seconds.',
      retryAfterMs: null,
    });
  });

  test('and a receiver that cannot be reached has failed', async () => {
    const receiver = await startReceiver('destroy');
    expect(await post(receiver.url)).toMatchObject({
      error: 'It could not be reached: the connection was closed.',
    });
    await receiver.close();
    expect(await post(receiver.url)).toMatchObject({
      error: 'It could not be reached: the connection was refused.',
    });
  });

  test('and the beginning of the answer is kept without secrets', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const text = `${'x'.repeat(100)}${secret}${'y'.repeat(70_000)}`;
    const receiver = await startReceiver({ status: 500, body: text, headers: { 'retry-after': '7' } });
    const posted = await post(receiver.url, { secrets: [secret] });
    expect(posted).toMatchObject({ status: 500, error: 'It answered 500.', retryAfterMs: 7_000 });
    expect(posted.answer).toMatch(/^x{100}\[redacted\]y+$/);
    expect(posted.answer?.length).toBeLessThan(1024);
  });
});
