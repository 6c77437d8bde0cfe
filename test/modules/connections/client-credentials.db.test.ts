import { createVerify, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startConnectionLab, type ConnectionLab } from '../../labs/connection-lab.ts';
import { startPlainOAuthServer, startScopedServer } from '../../servers/plain-oauth-server.ts';

let lab: ConnectionLab;
const opened: { close: () => unknown }[] = [];

beforeAll(async () => {
  lab = await startConnectionLab();
});
afterAll(() => lab.stop());
afterEach(() => {
  for (const part of opened.splice(0)) part.close();
});

const type = 'oauth2_client_credentials';

async function startPair(options: Parameters<typeof startPlainOAuthServer>[0] = {}) {
  const oauth = await startPlainOAuthServer(options);
  const { issuer } = oauth;
  const mcp = await startScopedServer({
    issuer,
    scopes: ['tools'],
    refuse: (_method, token) => (token === null ? { status: 401 } : null),
  });
  opened.push(oauth, mcp);
  return { oauth, mcp };
}

/** Uses a new connection once; returns its id and the status of the answer. */
async function use(endpoint: string, auth: object): Promise<{ id: string; status: number }> {
  const { id } = await lab.create({ endpoint, auth: { type, clientId: 'service', ...auth } });
  const { fetch } = await lab.open(id);
  const { status } = await fetch(endpoint, { method: 'POST', body: '{}' });
  return { id, status };
}

describe('a token for the client itself', () => {
  test('is requested at the authorization server of the owner, for the endpoint as resource', async () => {
    const { oauth, mcp } = await startPair();
    const auth = { clientSecret: 'secret', issuer: oauth.issuer, scopes: ['read', 'write'] };
    expect((await use(mcp.endpoint, auth)).status).toBe(200);
    const [form] = oauth.forms();
    expect(Object.fromEntries(form ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      resource: mcp.endpoint,
    });
  });

  test('names the resource also at a token endpoint that the owner gave, unless it is null', async () => {
    const { oauth, mcp } = await startPair();
    const auth = { clientSecret: 'secret', tokenUrl: `${oauth.issuer}/token` };
    await use(mcp.endpoint, auth);
    await use(mcp.endpoint, { ...auth, resource: null });
    expect(oauth.forms().map((form) => form.get('resource'))).toEqual([mcp.endpoint, null]);
  });

  test('is requested at the authorization server that the MCP server names, with a key', async () => {
    const { oauth, mcp } = await startPair();
    const { privateKey } = createEcKey();
    expect((await use(mcp.endpoint, { privateKey })).status).toBe(200);
    expect(oauth.forms()[0]?.get('scope')).toBe('tools');
  });

  test('is not requested with a secret at a server that only the MCP server names', async () => {
    const { oauth, mcp } = await startPair();
    await expect(use(mcp.endpoint, { clientSecret: 'secret' })).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
      message: expect.stringContaining('give issuer or tokenUrl') as string,
    });
    expect(oauth.forms()).toEqual([]);
  });

  test('that cannot be requested, since the metadata cannot be read, leaves the connection active', async () => {
    const { oauth, mcp } = await startPair();
    oauth.state.isDown = true;
    const auth = { type, clientId: 'service', clientSecret: 'secret', issuer: oauth.issuer };
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth });
    const { fetch } = await lab.open(id);
    await expect(fetch(mcp.endpoint)).rejects.toMatchObject({ code: 'AUTHORIZATION_FAILED' });
    expect((await lab.find(id)).status).toBe('active');
  });
});

describe('a client with a private key', () => {
  test('signs an assertion for the issuer', async () => {
    const { oauth, mcp } = await startPair();
    const { privateKey, publicKey } = createEcKey();
    await use(mcp.endpoint, { privateKey, keyId: 'key-1', issuer: oauth.issuer });
    const { header, payload, isSigned } = readAssertion(oauth.forms()[0], publicKey);
    expect(header).toMatchObject({ alg: 'ES256', kid: 'key-1' });
    expect(payload).toMatchObject({ iss: 'service', sub: 'service', aud: oauth.issuer });
    expect(isSigned).toBe(true);
  });

  test('signs an assertion for the token endpoint when no issuer is known', async () => {
    const { oauth, mcp } = await startPair();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const tokenUrl = `${oauth.issuer}/token`;
    await use(mcp.endpoint, { privateKey: pem, tokenUrl });
    const { text, header, payload } = readAssertion(oauth.forms()[0], null);
    expect([header['alg'], payload['aud']]).toEqual(['RS256', tokenUrl]);
    const [signed, signature] = splitSignature(text);
    expect(createVerify('SHA256').update(signed).verify(publicKey, signature, 'base64url')).toBe(true);
  });

  test('is shown without the key', async () => {
    const { oauth, mcp } = await startPair();
    const { privateKey } = createEcKey();
    const { id } = await use(mcp.endpoint, { privateKey, issuer: oauth.issuer });
    const { auth } = await lab.find(id);
    expect(auth['privateKey']).not.toContain('PRIVATE KEY-----\n');
    const { redact } = await lab.open(id);
    expect(redact(`<${privateKey}>`)).toBe('<[redacted]>');
  });

  test.each([
    ['neither a secret nor a key', {}],
    ['both a secret and a key', { clientSecret: 'secret', privateKey: createEcKey().privateKey }],
    ['a key that is no PEM', { privateKey: 'not a key' }],
  ])('is refused with %s', async (_what, auth) => {
    const input = { endpoint: 'https://mcp.example/mcp', auth: { type, clientId: 'service', ...auth } };
    await expect(lab.create(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

function createEcKey(): { privateKey: string; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, publicKey };
}

function splitSignature(jwt: string): [string, string] {
  const end = jwt.lastIndexOf('.');
  return [jwt.slice(0, end), jwt.slice(end + 1)];
}

function readAssertion(form: URLSearchParams | undefined, publicKey: KeyObject | null) {
  const text = form?.get('client_assertion') ?? '';
  const [header = '', payload = ''] = text.split('.');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const [signed, signature] = splitSignature(text);
  const isSigned =
    publicKey !== null &&
    verify(
      'SHA256',
      Buffer.from(signed),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  return { text, header: read(header), payload: read(payload), isSigned };
}
