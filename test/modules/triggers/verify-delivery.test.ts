import { describe, expect, test } from 'vitest';
import { webhookRuleSchema, type WebhookRule } from '../../../src/domain/webhook-rule.ts';
import { webhookSenders } from '../../../src/engines/providers/webhook-senders.ts';
import { verifyDelivery } from '../../../src/modules/triggers/verify-delivery.ts';
import {
  fromGitHub,
  fromLinear,
  fromSlack,
  fromStandardSender,
  fromStripe,
  type VendorDelivery,
} from '../../labs/vendor-deliveries.ts';

function ruleOf(name: string): WebhookRule {
  const sender = webhookSenders[name];
  if (!sender) throw new Error(`no sender ${name}`);
  return sender.rule;
}

function verify(
  rule: WebhookRule | string,
  { body, headers }: VendorDelivery,
  { secrets, receivedAt = Date.now() }: { secrets: string[]; receivedAt?: number },
) {
  const found = typeof rule === 'string' ? ruleOf(rule) : rule;
  const url = 'https://agents.example/hooks/t1';
  return verifyDelivery(found, secrets, { headers, body: Buffer.from(body), url, receivedAt });
}

const valid = { contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string };

describe('the published example', () => {
  test('of GitHub is verified', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const delivery = { body: 'Hello, World!', headers: { 'x-hub-signature-256': signature } };
    expect(verify('github', delivery, { secrets: ["It's a Secret to Everybody"] })).toEqual(valid);
    expect(verify('github', delivery, { secrets: ["It's a Secret to Nobody"] })).toEqual({
      refusal: 'its signature is wrong',
    });
  });

  test('of Slack is verified at its time, and five minutes around it', () => {
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&' +
      'channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&' +
      'response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&' +
      'trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
    const headers = { 'x-slack-request-timestamp': '1531420618', 'x-slack-signature': signature };
    const secrets = ['8f742231b10e8888abcd99yyyzzz85a5'];
    for (const seconds of [-300, 0, 300]) {
      const receivedAt = (1531420618 + seconds) * 1000;
      expect(verify('slack', { body, headers }, { secrets, receivedAt })).toEqual(valid);
    }
    for (const seconds of [-301, 301]) {
      const receivedAt = (1531420618 + seconds) * 1000;
      expect(verify('slack', { body, headers }, { secrets, receivedAt })).toEqual({
        refusal: 'it was signed too long ago, or in the future',
      });
    }
  });

  test('of Standard Webhooks is verified', () => {
    // https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const delivery = { body: '{"test": 2432232314}', headers };
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    expect(verify('standard-webhooks', delivery, { secrets, receivedAt: 1614265330_000 })).toEqual(valid);
  });
});

// Computed with: printf '%s' TEXT | openssl dgst -sha256 -hmac dGhpc19zZWNyZXQ [-binary | base64]
test.each([
  [
    'pagerduty',
    '{"a":1}',
    {
      'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=0c213528be8de6b7beba37960979b190171f65346439cbf7c807bc215beb48e2`,
    },
  ],
  [
    'zendesk',
    '2021-03-25T05:09:27Z{"a":1}',
    {
      'x-zendesk-webhook-signature': 'XcqxhlDSsf4oeWEIZCqGVq71yfgWcRsBYu9tLGi1lyw=',
      'x-zendesk-webhook-signature-timestamp': '2021-03-25T05:09:27Z',
    },
  ],
  ['shopify', '{"a":1}', { 'x-shopify-hmac-sha256': 'DCE1KL6N5re+ujeWCXmxkBcfZTRkOcv3yAe8IVvrSOI=' }],
  ['intercom', '{"a":1} by sha1', { 'x-hub-signature': 'sha1=095e52388809315620da1fde8fae1f15e2b4fe38' }],
  [
    'hubspot',
    'POSThttps://agents.example/hooks/t1[{"a":1}]1616648967000',
    {
      'x-hubspot-signature-v3': 'x7GSqgvvcyQP22eIY6nv9dMXVddqK5NW2MlJF7NWaJM=',
      'x-hubspot-request-timestamp': '1616648967000',
    },
  ],
])('the signature of %s over %s is verified, near the time that it signs', (name, text, headers) => {
  const body = name === 'hubspot' ? '[{"a":1}]' : '{"a":1}';
  const secrets = ['dGhpc19zZWNyZXQ'];
  const receivedAt = Date.parse('2021-03-25T05:10:00Z');
  expect(verify(name, { body, headers }, { secrets, receivedAt })).toEqual(valid);
  const changed = { body: body.replace('1', '2'), headers };
  expect(verify(name, changed, { secrets, receivedAt })).toEqual({ refusal: 'its signature is wrong' });
  if (!text.includes('2021') && !text.includes('16166')) return;
  expect(verify(name, { body, headers }, { secrets, receivedAt: receivedAt + 300_000 })).toEqual({
    refusal: 'it was signed too long ago, or in the future',
  });
});

describe.each([
  ['github', fromGitHub],
  ['slack', fromSlack],
  ['stripe', fromStripe],
  ['linear', fromLinear],
  ['standard-webhooks', fromStandardSender],
] as const)('a delivery of %s', (name, send) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const payload = { type: 'x', text: 'Grüße 😀' };

  test('is verified by any of the secrets that count', () => {
    const delivery = send({ secret, payload });
    expect(verify(name, delivery, { secrets: ['whsec_b3RoZXI=', secret] })).toEqual(valid);
    expect(verify(name, delivery, { secrets: ['whsec_b3RoZXI='] })).toEqual({
      refusal: 'its signature is wrong',
    });
  });

  test('whose body was changed in one byte is refused', () => {
    const { body, headers } = send({ secret, payload });
    const changed = { body: body.replace('Grüße', 'Grüsse'), headers };
    expect(verify(name, changed, { secrets: [secret] })).toEqual({ refusal: 'its signature is wrong' });
    expect(verify(name, { body: `${body} `, headers }, { secrets: [secret] })).toEqual({
      refusal: 'its signature is wrong',
    });
  });

  test('without its signature, with an empty one or with half of one is refused', () => {
    const { body, headers } = send({ secret, payload });
    const header = ruleOf(name).signature.header;
    const change = (by: (text: string) => string) => (headers[header] ?? '').replaceAll(/[\w+/]{40,}=*/g, by);
    const changed = [
      '',
      change(() => ''),
      change((text) => text.slice(0, -4)),
      change((text) => `${text}00`),
    ];
    const refused = changed.map((text) =>
      verify(name, { body, headers: { ...headers, [header]: text } }, { secrets: [secret] }),
    );
    refused.push(verify(name, { body, headers: {} }, { secrets: [secret] }));
    for (const answer of refused) expect(answer).toHaveProperty('refusal');
  });
});

describe('a timestamp', () => {
  const secrets = ['whsec_secret'];

  test('that is not the signed one is refused', () => {
    const { body, headers } = fromStripe({ secret: 'whsec_secret', payload: {}, at: Date.now() - 600_000 });
    const fresh = `t=${Math.floor(Date.now() / 1000)}`;
    const signature = headers['stripe-signature']?.replace(/t=\d+/, fresh) ?? '';
    expect(verify('stripe', { body, headers: { 'stripe-signature': signature } }, { secrets })).toEqual({
      refusal: 'its signature is wrong',
    });
  });

  test.each(['', 'soon', '-1', '1e9', '99999999999999999999'])('that is "%s" is refused', (text) => {
    const headers = { 'stripe-signature': `t=${text},v1=00` };
    expect(verify('stripe', { body: '{}', headers }, { secrets })).toHaveProperty('refusal');
  });
});

test('a rule of its own reads ISO times, other algorithms and capital letters', () => {
  const rule = webhookRuleSchema.parse({
    signature: { header: 'x-signature', algorithm: 'sha1', encoding: 'hex', content: '{timestamp}{body}' },
    timestamp: { at: { header: 'x-signed-at' }, unit: 'iso', toleranceSeconds: 60 },
  });
  // printf '2021-03-25T05:09:27Z{"a":1}' | openssl dgst -sha1 -hmac dGhpc19zZWNyZXQ
  const signature = 'F241376156E8FF7141C0D7CE464B37ACC40F9202';
  const headers = { 'x-signature': signature, 'x-signed-at': '2021-03-25T05:09:27Z' };
  const receivedAt = Date.parse('2021-03-25T05:10:00Z');
  const secrets = ['dGhpc19zZWNyZXQ'];
  expect(verify(rule, { body: '{"a":1}', headers }, { secrets, receivedAt })).toEqual(valid);
});

describe('a rule', () => {
  const signature = { header: 'x-signature', encoding: 'hex', content: '{body}' };

  test.each([
    ['that does not sign the payload', { signature: { ...signature, content: '{id}' } }, 'signature.content'],
    [
      'whose timestamp is not signed',
      { signature, timestamp: { at: { header: 'x-time' }, unit: 'seconds', toleranceSeconds: 300 } },
      'timestamp',
    ],
    [
      'that signs a timestamp which it does not find',
      { signature: { ...signature, content: '{timestamp}.{body}' } },
      'timestamp',
    ],
    [
      'that signs an id which it does not find',
      { signature: { ...signature, content: '{id}.{body}' }, deliveryId: { field: 'id' } },
      'deliveryId',
    ],
    [
      'with another placeholder',
      { signature: { ...signature, content: '{body}{host}' } },
      'signature.content',
    ],
  ])('%s is refused', (_title, rule, field) => {
    const { error } = webhookRuleSchema.safeParse(rule);
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });

  test.each(Object.keys(webhookSenders))('of %s fits the schema of rules', (name) => {
    expect(webhookRuleSchema.parse(ruleOf(name))).toEqual(ruleOf(name));
  });
});
