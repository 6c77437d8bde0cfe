import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { startApi, type Api } from '../../../labs/api-lab.ts';
import { startHttpServer, type HttpServer } from '../../../servers/http-server.ts';

const issuer = 'https://id.example.com';
const audience = 'https://holdfast.example.com';
const acme = newId();
type Key = Parameters<SignJWT['sign']>[0];

let api: Api;
let keyServer: HttpServer;
/** Two keys that the provider publishes under one name. */
let twins: Key[] = [];

beforeAll(async () => {
  const pairs = await Promise.all([1, 2].map(() => generateKeyPair('RS256', { extractable: true })));
  twins = pairs.map(({ privateKey }) => privateKey);
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), kid: 'twin' })),
  );
  keyServer = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  const provider = { issuer, audience, jwksUrl: `${keyServer.url}/keys`, workspace: acme };
  api = await startApi({}, { HOLDFAST_IDENTITY_PROVIDERS: JSON.stringify([provider]) });
  await api.database.system('workspaces').insert({ id: acme, name: 'Acme' });
});
afterAll(async () => {
  await api.stop();
  await keyServer.close();
});

const seconds = () => Math.floor(Date.now() / 1000);

async function signInWith(claims: JWTPayload, key: Key = twins[0] as Key, kid: string | undefined = 'twin') {
  const payload = {
    ...{ iss: issuer, aud: audience, sub: 'ada', iat: seconds(), exp: seconds() + 300, roles: ['viewer'] },
    ...{ email: 'ada@example.com', email_verified: true },
    ...claims,
  };
  const token = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', ...(kid && { kid }) })
    .sign(key);
  const { status, error } = await api.call('GET', '/api/conversations', { key: token });
  return status === 200 ? 'in' : `${error.code}: ${error.message}`;
}

test('a token of each of several keys of one name lets its person in, also one that names no key', async () => {
  for (const key of twins) {
    expect(await signInWith({}, key)).toBe('in');
    expect(await signInWith({}, key, '')).toBe('in');
    expect(await signInWith({ exp: seconds() - 60 }, key)).toContain('it has expired');
  }
  const { privateKey } = await generateKeyPair('RS256');
  for (const kid of ['twin', ''])
    expect(await signInWith({}, privateKey, kid)).toContain('its signature cannot be verified');
});

test('a token that was issued in the future lets nobody in, but for clocks that differ', async () => {
  expect(await signInWith({ iat: seconds() + 600 })).toContain('it was issued in the future');
  expect(await signInWith({ iat: seconds() + 10 })).toBe('in');
});

test.each([false, 'false', 'true', '', 0, 1, null, undefined, {}, [true]])(
  'an address that is verified as %j lets nobody in',
  async (value) => {
    expect(await signInWith({ email_verified: value })).toContain('its "email" is not verified');
  },
);
