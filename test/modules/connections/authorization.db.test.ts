import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  giveConsent,
  startOAuthServer,
  startResourceServer,
  type OAuthServer,
  type ResourceServer,
} from '../../servers/oauth-server.ts';
import { redirectUri, startConnectionLab, toCallback } from '../../labs/connection-lab.ts';

let lab: Awaited<ReturnType<typeof startConnectionLab>>;
let provider: OAuthServer;
const opened: { close: () => void }[] = [];

beforeAll(async () => {
  provider = await startOAuthServer({
    namesIssuer: false,
    clients: { 'our-client': { secret: 'our client secret', redirectUris: [redirectUri] } },
  });
  const oauth = {
    authorizationUrl: `${provider.issuer}/authorize`,
    tokenUrl: `${provider.issuer}/token`,
    scopes: ['chat:write'],
    parameters: { access_type: 'offline' },
  };
  lab = await startConnectionLab({
    findProvider: (name) =>
      Promise.resolve(name === 'slack' ? { baseUrl: provider.issuer, auth: { oauth } } : undefined),
  });
});
afterAll(async () => {
  await provider.close();
  await lab.stop();
});
afterEach(() => {
  for (const part of opened.splice(0)) part.close();
});

type ServerOptions = Parameters<typeof startOAuthServer>[0];

async function startPair(options: ServerOptions = {}): Promise<{ oauth: OAuthServer; mcp: ResourceServer }> {
  const oauth = await startOAuthServer(options);
  const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer });
  opened.push(oauth, mcp);
  return { oauth, mcp };
}

const codeAuth = { type: 'oauth2_authorization_code' };

function start(connectionId: string) {
  return lab.start(connectionId);
}

describe('a connection to an MCP server', () => {
  test('is authorized with discovery, registration, PKCE, resource and issuer as its server asks', async () => {
    const { oauth, mcp } = await startPair();
    const { id, status, statusReason } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    expect([status, statusReason]).toEqual(['expired', expect.stringContaining('authorize') as string]);
    await expect(lab.open(id)).rejects.toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });

    const { url } = await start(id);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      resource: mcp.endpoint,
      scope: 'tools',
    });
    const connection = await lab.finish(toCallback(await giveConsent(url)));
    expect(connection).toMatchObject({ status: 'active', statusReason: null });
    expect(connection.auth).toMatchObject({
      authorized: { issuer: oauth.issuer, clientId: asked['client_id'] },
    });
    expect(Date.parse(connection.expiresAt ?? '')).toBeGreaterThan(Date.now());

    // Only the address in the challenge is read.
    const metadata = mcp.requests.map(({ path }) => path).filter((path) => path.includes('well-known'));
    expect(metadata).toEqual(['/.well-known/oauth-protected-resource/from-challenge']);

    const { fetch } = await lab.open(id);
    const response = await fetch(mcp.endpoint, { method: 'POST', body: 'hello' });
    expect(await response.json()).toEqual({ answer: 'hello', body: 'hello' });
    expect(await lab.listAudit(id)).toEqual(['connection.created', 'connection.authorized']);
  });

  test('is authorized also when the server sends no challenge', async () => {
    const oauth = await startOAuthServer();
    const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer, challenges: false });
    opened.push(oauth, mcp);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    expect((await lab.authorize(id)).status).toBe('active');
  });

  test('is authorized at its own origin when the server has no resource metadata', async () => {
    const oauth = await startOAuthServer();
    opened.push(oauth);
    const { id } = await lab.create({ endpoint: `${oauth.issuer}/mcp`, auth: codeAuth });
    expect((await lab.authorize(id)).auth).toMatchObject({ authorized: { issuer: oauth.issuer } });
  });

  test('is refused when its server claims to be a resource below the endpoint', async () => {
    const { mcp } = await startPair();
    const { id } = await lab.create({ endpoint: mcp.endpoint.replace('/mcp', '/'), auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/claims to be another resource/);
  });

  test('uses the registered client again for a second authorization', async () => {
    const { oauth, mcp } = await startPair();
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await lab.authorize(id);
    await lab.authorize(id);
    expect(oauth.requests.filter(({ path }) => path === '/register')).toHaveLength(1);
  });

  test('refreshes its tokens at the first authorization server, also when its server names another one later', async () => {
    const { oauth, mcp } = await startPair();
    const other = await startOAuthServer();
    opened.push(other);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await lab.authorize(id);
    mcp.settings.issuer = other.issuer;
    oauth.endAccessTokens();
    const { fetch } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(200);
    expect(oauth.counts.refreshes).toBe(1);
    expect(other.requests).toEqual([]);
  });

  test('does not send its client secret to an authorization server that only the MCP server names', async () => {
    const foreign = await startOAuthServer({ clients: { ours: { redirectUris: [redirectUri] } } });
    const mcp = await startResourceServer({ isGood: () => false, issuer: foreign.issuer });
    opened.push(foreign, mcp);
    const auth = { ...codeAuth, clientId: 'ours', clientSecret: 'secret-of-ours-1234' };
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth });
    await expect(start(id)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
      message: expect.stringContaining('give issuer or tokenUrl') as string,
    });
    expect(JSON.stringify([foreign.requests, mcp.requests])).not.toContain('secret-of-ours');
    expect(JSON.stringify(foreign.requests)).not.toContain(
      Buffer.from('secret-of-ours-1234').toString('base64'),
    );
  });

  test('does not send static credentials to an authorization server that the MCP server names', async () => {
    const foreign = await startOAuthServer();
    const mcp = await startResourceServer({ isGood: () => false, issuer: foreign.issuer });
    opened.push(foreign, mcp);
    const { id } = await lab.create({
      endpoint: mcp.endpoint,
      auth: { type: 'bearer', token: 'static-token-1234' },
    });
    const { fetch } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(401);
    expect(foreign.requests).toEqual([]);
    await expect(start(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is refused when its server claims to be another resource', async () => {
    const oauth = await startOAuthServer();
    const mcp = await startResourceServer({
      isGood: () => false,
      issuer: oauth.issuer,
      resource: 'https://bank.example',
    });
    opened.push(oauth, mcp);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/claims to be another resource: .*bank\.example/);
    expect(oauth.requests).toEqual([]);
  });

  test('is refused when the authorization server does not support PKCE with S256', async () => {
    const { mcp } = await startPair({ supportsPkce: false });
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/does not support PKCE/);
  });

  test.each([[7], ['tools'], [['tools', 'a\0b', '\ud800', 3]]])(
    'is authorized also when its server lists the scopes %j',
    async (scopes) => {
      const { oauth } = await startPair();
      const mcp = await startResourceServer({ isGood: oauth.isGood, issuer: oauth.issuer, scopes });
      opened.push(mcp);
      const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
      const { auth, status } = await lab.authorize(id);
      const expected = Array.isArray(scopes) ? ['tools'] : [];
      expect([status, auth]).toMatchObject(['active', { authorized: { scopes: expected } }]);
    },
  );

  test('registers a new client when the authorization server no longer knows the old one', async () => {
    const { oauth, mcp } = await startPair();
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await lab.authorize(id);
    oauth.endAccessTokens();
    oauth.forgetClients();
    const { fetch } = await lab.open(id);
    await expect(fetch(mcp.endpoint)).rejects.toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    expect((await lab.authorize(id)).status).toBe('active');
    expect((await (await lab.open(id)).fetch(mcp.endpoint)).status).toBe(200);
  });

  test('fails and asks for a client id when the authorization server registers no clients', async () => {
    const { mcp } = await startPair({ registers: false });
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/give its clientId/);
  });

  test('is refused when the authorization server has no https URL', async () => {
    const mcp = await startResourceServer({ isGood: () => false, issuer: 'http://auth.example' });
    opened.push(mcp);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/not an https URL/);
  });
});

describe('a connection to a provider', () => {
  const auth = { ...codeAuth, clientId: 'our-client', clientSecret: 'our client secret' };

  test('is authorized at the addresses of its provider with its own client', async () => {
    const { id } = await lab.create({ provider: 'slack', auth });
    const { url } = await start(id);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      client_id: 'our-client',
      scope: 'chat:write',
      access_type: 'offline',
    });
    const connection = await lab.finish(toCallback(await giveConsent(url)));
    expect(connection.status).toBe('active');
    expect(JSON.stringify(connection)).not.toMatch(/our client secret|access-|refresh-/);
    const { fetch } = await lab.open(id);
    await fetch(`${provider.issuer}/nothing-there`);
    const [, token = ''] = /^Bearer (.+)$/.exec(provider.requests.at(-1)?.headers.authorization ?? '') ?? [];
    expect(provider.isGood(token)).toBe(true);
  });

  test('reports why the authorization server refused, without the client secret', async () => {
    const wrong = { ...auth, clientSecret: 'a wrong client secret' };
    const { id } = await lab.create({ provider: 'slack', auth: wrong });
    const { url } = await start(id);
    const finishing = lab.finish(toCallback(await giveConsent(url)));
    await expect(finishing).rejects.toThrow(/refused: invalid_client/);
    await expect(finishing).rejects.not.toThrow(/wrong client secret/);
    expect((await lab.find(id)).status).toBe('expired');
  });

  test('may have its own authorization addresses', async () => {
    const oauth = await startOAuthServer({ clients: { mine: { redirectUris: [redirectUri] } } });
    opened.push(oauth);
    const given = { authorizationUrl: `${oauth.issuer}/authorize`, tokenUrl: `${oauth.issuer}/token` };
    const { id } = await lab.create({ provider: 'mine', auth: { ...codeAuth, clientId: 'mine', ...given } });
    expect((await lab.authorize(id)).status).toBe('active');
  });

  test('fails and asks for the authorization addresses when its provider has none', async () => {
    const { id } = await lab.create({ provider: 'unheard-of', auth: codeAuth });
    await expect(start(id)).rejects.toThrow(/give issuer, or authorizationUrl and tokenUrl/);
  });
});

describe('the redirect after a consent', () => {
  async function begin() {
    const { oauth, mcp } = await startPair();
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    const back = await giveConsent((await start(id)).url);
    return { id, mcp, oauth, answer: toCallback(back) };
  }

  test('is accepted once', async () => {
    const { answer } = await begin();
    await lab.finish(answer);
    await expect(lab.finish(answer)).rejects.toThrow(/used already/);
  });

  test('is refused with an unknown state', async () => {
    const { answer } = await begin();
    const guessed = { ...answer, state: 'guessed' };
    await expect(lab.finish(guessed)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
    });
  });

  test('is refused after 10 minutes', async () => {
    const { id, answer } = await begin();
    const requests = lab.database.system('authorization_requests').where({ connection_id: id });
    await requests.update({ expires_at: new Date(Date.now() - 1) });
    await expect(lab.finish(answer)).rejects.toThrow(/longer than 10 minutes/);
  });

  test('is refused from another issuer, and its code is not sent to any server', async () => {
    const { oauth, answer } = await begin();
    const mixed = { ...answer, iss: 'https://other.example' };
    await expect(lab.finish(mixed)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
    });
    expect(oauth.requests.filter(({ path }) => path === '/token')).toEqual([]);
  });

  test('is refused without an issuer when the authorization server announces that it sends one', async () => {
    const { answer } = await begin();
    const nameless = { ...answer, iss: undefined };
    await expect(lab.finish(nameless)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
    });
  });

  test('reports the error of the authorization server when consent was refused', async () => {
    const { id, answer } = await begin();
    const refusal = { ...answer, code: undefined, error: 'access_denied', errorDescription: 'no, thank you' };
    await expect(lab.finish(refusal)).rejects.toThrow(/access_denied \(no, thank you\)/);
    expect((await lab.find(id)).status).toBe('expired');
  });

  test('is refused when the connection was changed since the start', async () => {
    const { id, answer, oauth } = await begin();
    await lab.update(id, {
      auth: { type: 'bearer', token: 'token-1234567890' },
    });
    await expect(lab.finish(answer)).rejects.toMatchObject({
      code: 'AUTHORIZATION_FAILED',
    });
    expect(oauth.grants).toEqual([]);
  });

  test('is stored beforehand as a hashed state and a sealed verifier', async () => {
    const { id, answer } = await begin();
    const row = await lab.database
      .system('authorization_requests')
      .where({ connection_id: id })
      .first<{ state_hash: Buffer; sealed: Buffer }>();
    const stored = Buffer.concat([row.state_hash, row.sealed]);
    for (const text of [answer.state, 'verifier', 'redirectUri']) expect(stored.includes(text)).toBe(false);
  });
});
