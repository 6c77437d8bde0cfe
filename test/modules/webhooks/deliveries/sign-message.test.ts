import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signMessage } from '../../../../src/modules/webhooks/deliveries/sign-message.ts';
import { listCounting } from '../../../../src/domain/rotated-secrets.ts';
import { createSecret } from '../../../../src/modules/webhooks/webhook-secrets.ts';

const body = JSON.stringify({ type: 'turn.settled', timestamp: new Date().toISOString(), data: { n: 'ü' } });

function sign(secrets: string[], sentAt = Date.now()) {
  return signMessage(secrets, { id: '01890a5d-ac96-774b-bcce-b302099a8057', body, sentAt });
}

type Verify = (secret: string, headers: Record<string, string>) => Promise<unknown>;

/** The verifications of two libraries. Each returns the message or throws. */
const libraries: [string, Verify][] = [
  [
    'standardwebhooks',
    (secret, headers) => new Promise((resolve) => resolve(new Webhook(secret).verify(body, headers))),
  ],
  [
    'openai',
    (webhookSecret, headers) => new OpenAI({ apiKey: 'x', webhookSecret }).webhooks.unwrap(body, headers),
  ],
];

describe.each(libraries)('the library %s', (_, verify) => {
  test('accepts a signed message', async () => {
    const secret = createSecret();
    expect(await verify(secret, sign([secret]))).toEqual(JSON.parse(body));
  });

  test('accepts a message by the new and by the old secret while both sign', async () => {
    const [present, replaced, over] = [createSecret(), createSecret(), createSecret()];
    const old = [
      { secret: replaced, until: Date.now() + 60_000 },
      { secret: over, until: Date.now() - 1 },
    ];
    const headers = sign(listCounting({ secret: present, old }));

    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(await verify(present, headers)).toEqual(JSON.parse(body));
    expect(await verify(replaced, headers)).toEqual(JSON.parse(body));
    await expect(verify(over, headers)).rejects.toThrow();
  });

  test('refuses another secret, another body, another id and an old message', async () => {
    const secret = createSecret();
    const headers = sign([secret]);
    const refused: [string, Record<string, string>][] = [
      [createSecret(), headers],
      [secret, { ...headers, 'webhook-id': 'another' }],
      [secret, sign([secret], Date.now() - 10 * 60_000)],
    ];
    for (const [by, sent] of refused) await expect(verify(by, sent)).rejects.toThrow();
  });
});
