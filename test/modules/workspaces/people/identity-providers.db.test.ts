import { createHmac, randomBytes } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, startApi, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { openStream } from '../../../labs/sse-reader.ts';
import { startHttpServer, type HttpServer } from '../../../servers/http-server.ts';
import { audience, startOpenIdProvider, type Claims } from '../../../servers/openid-provider.ts';

const acme = newId();
const other = newId();
const gone = newId();
const people: Record<string, Claims> = {
  ada: {
    email: 'ada@example.com',
    email_verified: true,
    org: 'acme',
    roles: ['editor'],
    groups: ['finance'],
  },
  bob: { email: 'bob@example.com', email_verified: true, org: 'acme', roles: ['viewer', 'approver'] },
  olga: { email: 'olga@example.com', email_verified: true, org: 'acme', roles: ['admin'] },
  eve: { email: 'eve@example.com', email_verified: true, org: 'other', roles: ['admin'] },
  nobody: { email: 'nobody@example.com', email_verified: true, org: 'acme', roles: ['king'] },
  stray: { email: 'stray@example.com', email_verified: true, org: 'elsewhere', roles: ['admin'] },
  fake: { email: 'ada@example.com', email_verified: false, org: 'acme', roles: ['admin'] },
};

let api: Api;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
let keyServer: HttpServer;
/** A provider whose tokens the tests sign themselves. */
let own: {
  issuer: string;
  sign: (claims: JWTPayload, options?: SignOptions) => Promise<string>;
  publicPem: string;
};
/** The keys that the provider publishes now. */
let published: object[] = [];

interface SignOptions {
  key?: Parameters<SignJWT['sign']>[0];
  header?: Record<string, unknown>;
}

async function startOwnProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  published = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  keyServer = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  });
  const sign = (claims: JWTPayload, { key = privateKey, header }: SignOptions = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
  return { issuer: 'https://id.example.com', sign, publicPem: await exportSPKI(publicKey) };
}

beforeAll(async () => {
  provider = await startOpenIdProvider((subject) => people[subject] ?? {});
  own = await startOwnProvider();
  const workspaces = { claim: 'org', of: { acme, other, gone } };
  const providers = [
    { issuer: provider.issuer, audience, workspaces },
    { issuer: own.issuer, audience, jwksUrl: `${keyServer.url}/keys`, algorithms: ['RS256'], workspaces },
  ];
  api = await startApi({}, { HOLDFAST_IDENTITY_PROVIDERS: JSON.stringify(providers) });
  await api.database.system('workspaces').insert([
    { id: acme, name: 'Acme' },
    { id: other, name: 'Other' },
    { id: gone, name: 'Gone', deleted_at: new Date() },
  ]);
});
afterAll(async () => {
  await api.stop();
  await provider.close();
  await keyServer.close();
});

const seconds = () => Math.floor(Date.now() / 1000);
const claimsOf = (subject: string): JWTPayload => ({
  ...people[subject],
  ...{ iss: own.issuer, aud: audience, sub: subject, iat: seconds(), exp: seconds() + 300 },
});

describe('a person who signs in at an OpenID provider', () => {
  test('acts for nobody else, and sees what the role allows', async () => {
    const [ada, olga] = await Promise.all([provider.signIn('ada'), provider.signIn('olga')]);
    const as = (key: string, request: `${string} ${string}`, body?: object) => {
      const [method = '', path = ''] = request.split(' ');
      return api.call(method, path, { key, body });
    };
    const agent = await as(olga, 'POST /api/agents', { name: 'Desk', model: 'demo', instructions: '' });
    const { data } = await as(ada, 'POST /api/conversations', { agentId: agent.data.agent.id });
    expect(data.conversation.person).toBe('ada@example.com');
    expect(await as(ada, 'POST /api/agents', { name: 'x', model: 'demo', instructions: '' })).toMatchObject({
      status: 403,
      error: { details: { missingScopes: ['agents:write'] } },
    });
    expect((await as(olga, 'GET /api/conversations')).data.conversations).toHaveLength(1);
    expect((await as(await provider.signIn('bob'), 'GET /api/conversations')).data.conversations).toEqual([]);
    expect((await as(await provider.signIn('eve'), 'GET /api/conversations')).data.conversations).toEqual([]);
    const named = await as(ada, 'POST /api/conversations', {
      agentId: agent.data.agent.id,
      person: 'bob',
    });
    expect(named.data.conversation.person).toBe('ada@example.com');
  });

  test('is one person however often, with the roles of the newest token', async () => {
    const olga = await provider.signIn('olga');
    await api.call('GET', '/api/conversations', { key: await own.sign(claimsOf('bob')) });
    const promoted = await own.sign({ ...claimsOf('bob'), roles: ['operator'] });
    expect((await api.call('GET', '/api/audit-events', { key: promoted })).status).toBe(200);
    const found = (await api.call('GET', '/api/people', { key: olga })) as unknown as {
      data: { people: { issuer: string; subject: string; roles: string[] }[] };
    };
    const bobs = found.data.people.filter(
      ({ subject, issuer }) => subject === 'bob' && issuer === own.issuer,
    );
    expect(bobs).toMatchObject([{ roles: ['operator'] }]);
  });

  test('is refused once deactivated: requests, streams, and until let in again', async () => {
    const [olga, ada] = await Promise.all([provider.signIn('olga'), own.sign(claimsOf('ada'))]);
    const agent = await api.call('POST', '/api/agents', {
      key: olga,
      body: { name: 'Desk 2', model: 'demo', instructions: '' },
    });
    const created = await api.call('POST', '/api/conversations', {
      key: ada,
      body: { agentId: agent.data.agent.id },
    });
    const path = `/api/conversations/${created.data.conversation.id}/events`;
    await startTurn(
      {
        ...api,
        call: (method: string, url: string, options) => api.call(method, url, { ...options, key: ada }),
      },
      created.data.conversation.id,
    );
    const stream = await openStream({ ...api, key: ada }, path);
    await stream.next();
    const listed = (await api.call('GET', '/api/people', { key: olga })) as unknown as {
      data: { people: { id: string; issuer: string; subject: string }[] };
    };
    const person = listed.data.people.find(
      ({ subject, issuer }) => subject === 'ada' && issuer === own.issuer,
    );
    const change = (active: boolean) =>
      api.call('PATCH', `/api/people/${person?.id}`, { key: olga, body: { active } });
    expect((await change(false)).status).toBe(200);
    let ended = await stream.next();
    while (!ended.done) ended = await stream.next();
    expect((await api.call('GET', path, { key: ada })).status).toBe(401);
    await change(true);
    expect((await api.call('GET', '/api/conversations', { key: ada })).status).toBe(200);
  });

  test('leaves no token and no key behind that lets the person in again', async () => {
    const [olga, rita] = await Promise.all([
      provider.signIn('olga'),
      own.sign({ ...claimsOf('olga'), sub: 'rita', email: 'rita@example.com' }),
    ]);
    const made = (await api.call('POST', '/api/api-keys', {
      key: rita,
      body: { name: 'back door', scopes: ['conversations:read'], actsFor: 'rita@example.com' },
    })) as unknown as { data: { key: string } };
    const issued = (await api.call('POST', '/api/user-tokens', {
      key: rita,
      body: { person: 'rita@example.com' },
    })) as unknown as { data: { token: string } };
    const left = [made.data.key, issued.data.token];
    for (const key of left) expect((await api.call('GET', '/api/conversations', { key })).status).toBe(200);
    const listed = (await api.call('GET', '/api/people?limit=100', { key: olga })) as unknown as {
      data: { people: { id: string; subject: string }[] };
    };
    const person = listed.data.people.find(({ subject }) => subject === 'rita');
    await api.call('PATCH', `/api/people/${person?.id}`, { key: olga, body: { active: false } });
    for (const key of [...left, rita])
      expect((await api.call('GET', '/api/conversations', { key })).status).toBe(401);
  });

  test('is let in with a key that the provider has published since', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    published = [...published, { ...(await exportJWK(publicKey)), kid: 'two', alg: 'RS256', use: 'sig' }];
    const token = await own.sign(claimsOf('bob'), { key: privateKey, header: { kid: 'two' } });
    // A provider is asked for new keys once in ten seconds at most, however many tokens name others.
    await expect
      .poll(async () => (await api.call('GET', '/api/conversations', { key: token })).status, {
        timeout: 30_000,
      })
      .toBe(200);
  });
});

const flip = (text: string) => `${text.slice(0, -6)}${text.at(-6) === 'A' ? 'B' : 'A'}${text.slice(-5)}`;

/** Returns tokens of a kind that lets nobody in. */
const attacks: Record<string, () => Promise<string> | string> = {
  'no algorithm': () => new UnsecuredJWT(claimsOf('olga')).encode(),
  'no algorithm, and a signature': () => `${new UnsecuredJWT(claimsOf('olga')).encode()}abc`,
  'the public key as a secret': () => {
    const text = [{ alg: 'HS256', kid: 'one' }, claimsOf('olga')]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${createHmac('sha256', own.publicPem).update(text).digest('base64url')}`;
  },
  'another key of the same name': async () => {
    const { privateKey } = await generateKeyPair('RS256');
    return own.sign(claimsOf('olga'), { key: privateKey });
  },
  'a key in its own header': async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    return own.sign(claimsOf('olga'), { key: privateKey, header: { jwk: await exportJWK(publicKey) } });
  },
  'the address of keys in its own header': async () => {
    const { privateKey } = await generateKeyPair('RS256');
    return own.sign(claimsOf('olga'), { key: privateKey, header: { jku: `${keyServer.url}/evil` } });
  },
  'a key that is not published': async () => {
    const { privateKey } = await generateKeyPair('RS256');
    return own.sign(claimsOf('olga'), { key: privateKey, header: { kid: '../../two' } });
  },
  'another algorithm of the same key': async () => {
    const { privateKey } = await generateKeyPair('PS256');
    return own.sign(claimsOf('olga'), { key: privateKey, header: { alg: 'PS256' } });
  },
  'an elliptic key': async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return own.sign(claimsOf('olga'), { key: privateKey, header: { alg: 'ES256' } });
  },
  'an unknown critical header': () =>
    own.sign(claimsOf('olga'), { header: { crit: ['exp'], exp: 1 } }).catch(() => 'a.b.c'),
  'another issuer': () => own.sign({ ...claimsOf('olga'), iss: 'https://evil.example.com' }),
  'the issuer with a slash': () => own.sign({ ...claimsOf('olga'), iss: `${own.issuer}/` }),
  'the issuer of another provider': () => own.sign({ ...claimsOf('olga'), iss: provider.issuer }),
  'a list of issuers': () => own.sign({ ...claimsOf('olga'), iss: [own.issuer] as never }),
  'no issuer': () => own.sign({ ...claimsOf('olga'), iss: undefined as never }),
  'another audience': () => own.sign({ ...claimsOf('olga'), aud: 'https://other.test' }),
  'no audience': () => own.sign({ ...claimsOf('olga'), aud: undefined as never }),
  'an empty audience': () => own.sign({ ...claimsOf('olga'), aud: [] }),
  'the audience in other letters': () => own.sign({ ...claimsOf('olga'), aud: audience.toUpperCase() }),
  'an end that is over': () => own.sign({ ...claimsOf('olga'), exp: seconds() - 60 }),
  'no end': () => own.sign({ ...claimsOf('olga'), exp: undefined as never }),
  'an end that is a text': () => own.sign({ ...claimsOf('olga'), exp: '9999999999' as never }),
  'a beginning to come': () => own.sign({ ...claimsOf('olga'), nbf: seconds() + 600 }),
  'no time of issue': () => own.sign({ ...claimsOf('olga'), iat: undefined as never }),
  'no subject': () => own.sign({ ...claimsOf('olga'), sub: undefined as never }),
  'an empty subject': () => own.sign({ ...claimsOf('olga'), sub: '' }),
  'a subject that is a number': () => own.sign({ ...claimsOf('olga'), sub: 7 as never }),
  'no person': () => own.sign({ ...claimsOf('olga'), email: undefined }),
  'an empty person': () => own.sign({ ...claimsOf('olga'), email: ' ' }),
  'a person of many characters': () => own.sign({ ...claimsOf('olga'), email: 'a'.repeat(5_000) }),
  'a person that is a list': () => own.sign({ ...claimsOf('olga'), email: ['olga@example.com'] }),
  'an address that is not verified': () => own.sign(claimsOf('fake')),
  'no role': () => own.sign({ ...claimsOf('olga'), roles: undefined }),
  'a role that is none': () => own.sign(claimsOf('nobody')),
  'a role of the prototype': () => own.sign({ ...claimsOf('olga'), roles: ['__proto__', 'constructor'] }),
  'roles that are an object': () => own.sign({ ...claimsOf('olga'), roles: { admin: true } }),
  'a workspace that is not listed': () => own.sign(claimsOf('stray')),
  'a workspace that was deleted': () => own.sign({ ...claimsOf('olga'), org: 'gone' }),
  'a workspace by its id': () => own.sign({ ...claimsOf('olga'), org: acme }),
  'a workspace of the prototype': () => own.sign({ ...claimsOf('olga'), org: '__proto__' }),
  'no workspace': () => own.sign({ ...claimsOf('olga'), org: undefined }),
  'a changed signature': async () => flip(await own.sign(claimsOf('olga'))),
  'changed claims': async () => {
    const [header, , signature] = (await own.sign(claimsOf('ada'))).split('.');
    return [header, Buffer.from(JSON.stringify(claimsOf('olga'))).toString('base64url'), signature].join('.');
  },
  'no signature': async () => `${(await own.sign(claimsOf('olga'))).split('.').slice(0, 2).join('.')}.`,
  'three parts that are none': () => 'a.b.c',
  'random bytes': () => [1, 2, 3].map(() => randomBytes(40).toString('base64url')).join('.'),
};

test.each(Object.keys(attacks))('a token with %s lets nobody in', async (name) => {
  const token = (await attacks[name]?.()) ?? '';
  for (const path of ['/api/conversations', '/api/api-keys']) {
    const { status, error } = await api.call('GET', path, { key: token });
    expect([401, 403], error.message).toContain(status);
    expect(['UNAUTHORIZED', 'FORBIDDEN']).toContain(error.code);
    expect(error.message).not.toContain('olga');
  }
});

test('a provider that cannot be asked lets nobody in, and says so', async () => {
  const away = await startApi(
    {},
    {
      HOLDFAST_IDENTITY_PROVIDERS: JSON.stringify([
        { issuer: own.issuer, audience, jwksUrl: 'http://127.0.0.1:9/keys', workspace: acme },
      ]),
    },
  );
  try {
    const { status, error } = await away.call('GET', '/api/conversations', {
      key: await own.sign(claimsOf('olga')),
    });
    expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  } finally {
    await away.stop();
  }
});

test('without providers a token of one is no key', async () => {
  const plain = await shareApi();
  try {
    await openConversation(plain);
    const { status } = await plain.call('GET', '/api/conversations', {
      key: await own.sign(claimsOf('olga')),
    });
    expect(status).toBe(401);
  } finally {
    await plain.stop();
  }
});
