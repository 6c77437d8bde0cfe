import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toSecret } from '../../../src/domain/webhook.ts';
import {
  verifyWebhook,
  type RawWebhookRequest,
  type WebhookMessage,
} from '../../../src/clients/handlers/index.ts';
import { signMessage } from '../../../src/modules/webhooks/deliveries/sign-message.ts';

const secret = toSecret(randomBytes(32));
const data = { turnId: 't', conversationId: 'c', agentId: 'a', outcome: 'completed' };
const message = { type: 'turn.settled', timestamp: '2026-11-22T12:00:00.000Z', data };
const body = JSON.stringify(message);

interface Sent {
  headers: Record<string, string>;
  body: string;
}

function send({ secrets = [secret], sentAt = Date.now(), text = body } = {}): Sent {
  return { headers: signMessage(secrets, { id: 'msg_1', body: text, sentAt }), body: text };
}

function toRequest({ headers, body: text }: Sent): Request {
  return new Request('http://app.test/hooks', { method: 'POST', headers, body: text });
}

/** The forms in which frameworks give a message. */
const forms: [name: string, toForm: (sent: Sent) => Request | RawWebhookRequest][] = [
  ['a Request', toRequest],
  ['a text', (sent) => sent],
  ['bytes', (sent) => ({ headers: sent.headers, body: Buffer.from(sent.body) })],
  ['bytes beside a parsed body', (sent) => ({ ...sent, rawBody: Buffer.from(sent.body), body: {} })],
];

describe.each(forms)('a message as %s', (_name, toForm) => {
  const verify = (sent: Sent, own: string | string[] = secret) =>
    verifyWebhook(toForm(sent), { secret: own });

  it('is returned with its id when the signature is right', async () => {
    await expect(verify(send())).resolves.toEqual({ id: 'msg_1', ...message });
  });

  it('is accepted from the library that the page names', async () => {
    const sentAt = new Date();
    const headers = {
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)) },
      'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
    };
    await expect(verify({ headers, body })).resolves.toMatchObject({ type: 'turn.settled' });
  });

  it('is accepted by the old and by the new secret while both sign', async () => {
    const fresh = toSecret(randomBytes(32));
    const sent = send({ secrets: [fresh, secret] });
    await expect(verify(sent)).resolves.toMatchObject({ id: 'msg_1' });
    await expect(verify(sent, fresh)).resolves.toMatchObject({ id: 'msg_1' });
    await expect(verify(send(), [fresh, secret])).resolves.toMatchObject({ id: 'msg_1' });
    await expect(verify(send(), fresh)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
  });

  const other = toSecret(randomBytes(32));
  const change = (headers: Record<string, string>) => ({
    ...send(),
    headers: { ...send().headers, ...headers },
  });
  it.each<[string, () => Sent, string]>([
    ['signed by another secret', () => send({ secrets: [other] }), 'SIGNATURE_INVALID'],
    ['with another body', () => ({ ...send(), body: body.replace('"t"', '"u"') }), 'SIGNATURE_INVALID'],
    ['with a space more', () => ({ ...send(), body: `${body} ` }), 'SIGNATURE_INVALID'],
    ['with another id', () => change({ 'webhook-id': 'msg_2' }), 'SIGNATURE_INVALID'],
    ['with a signature of another version', () => change(toVersion('v2')), 'SIGNATURE_INVALID'],
    ['with no base64', () => change({ 'webhook-signature': 'v1,?' }), 'SIGNATURE_INVALID'],
    ['replayed with a newer time', () => replay(6 * 60_000), 'SIGNATURE_INVALID'],
    ['replayed after six minutes', () => send({ sentAt: Date.now() - 6 * 60_000 }), 'TIMESTAMP_OUT_OF_RANGE'],
    ['of the future', () => send({ sentAt: Date.now() + 6 * 60_000 }), 'TIMESTAMP_OUT_OF_RANGE'],
    ['with no time', () => change({ 'webhook-timestamp': 'now' }), 'TIMESTAMP_OUT_OF_RANGE'],
    ['without a signature', () => change({ 'webhook-signature': '' }), 'HEADERS_MISSING'],
    ['without headers', () => ({ headers: {}, body }), 'HEADERS_MISSING'],
    ['that is no JSON', () => send({ text: 'hello' }), 'MESSAGE_INVALID'],
    ['without data', () => send({ text: '{"type":"turn.settled"}' }), 'MESSAGE_INVALID'],
  ])('is refused %s', async (_what, toSent, code) => {
    await expect(verify(toSent())).rejects.toMatchObject({ name: 'WebhookError', code });
  });
});

function toVersion(version: string): Record<string, string> {
  return { 'webhook-signature': send().headers['webhook-signature']?.replace('v1', version) ?? '' };
}

/** An old message whose time was changed to now. */
function replay(ageMs: number): Sent {
  const { headers } = send({ sentAt: Date.now() - ageMs });
  return { headers: { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }, body };
}

it('returns the same id for a message that comes twice, by which the receiver drops the second one', async () => {
  const sent = send({ sentAt: Date.now() - 4 * 60_000 });
  const [first, again] = [await verifyWebhook(sent, { secret }), await verifyWebhook(sent, { secret })];
  expect(first.id).toBe(again.id);
});

it('says that a parsed body is not the raw one', async () => {
  const parsed = { headers: send().headers, body: message };
  await expect(verifyWebhook(parsed, { secret })).rejects.toMatchObject({
    code: 'BODY_NOT_RAW',
    statusCode: 500,
  });
  const read = toRequest(send());
  await read.json();
  await expect(verifyWebhook(read, { secret })).rejects.toMatchObject({ code: 'BODY_NOT_RAW' });
});

it('refuses a body above 1 MiB', async () => {
  const sent = send({ text: 'x'.repeat(1024 * 1024 + 1) });
  await expect(verifyWebhook(toRequest(sent), { secret })).rejects.toMatchObject({
    ...{ code: 'BODY_TOO_LARGE', statusCode: 413 },
  });
});

it.each(['', 'plain', 'whsec_', 'whsec_?', []])('throws without a secret that is one: %j', async (own) => {
  const verified = verifyWebhook(send(), { secret: own });
  await expect(verified).rejects.toThrow(/^secret: expected the secret of the webhook/);
  await expect(verified).rejects.toBeInstanceOf(TypeError);
});

it('returns data that has the type of its message', () => {
  expectTypeOf<WebhookMessage<'document.ready'>['data']>().toEqualTypeOf<{
    documentId: string;
    knowledgeBaseId: string;
  }>();
  const read = (one: WebhookMessage) => (one.type === 'turn.settled' ? one.data.outcome : one.data);
  expect(read({ ...message, id: '1' } as WebhookMessage)).toBe('completed');
});
