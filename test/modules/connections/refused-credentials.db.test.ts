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

type Refuse = Parameters<typeof startScopedServer>[0]['refuse'];

/** A connection that a person has consented to, to a server that refuses requests with a token as the test says. */
async function startScene(refuse: Refuse, token: Record<string, unknown> = {}) {
  const oauth = await startPlainOAuthServer({ token });
  const { issuer } = oauth;
  const mcp = await startScopedServer({
    issuer,
    refuse: (method, given) =>
      given === null ? { status: 401, challenge: 'scope="mcp:basic"' } : refuse(method, given),
  });
  opened.push(oauth, mcp);
  const auth = { type: 'oauth2_authorization_code' };
  const { id } = await lab.create({ endpoint: mcp.endpoint, auth });
  await lab.authorize(id);
  const call = async () => {
    const { fetch } = await lab.open(id);
    const { status } = await fetch(mcp.endpoint, { method: 'POST', body: '{"method":"tools/call"}' });
    return status;
  };
  return { id, oauth, mcp, call };
}

const wantsWrite = { status: 403, challenge: 'error="insufficient_scope", scope="mcp:write"' };

describe('a 401 to credentials that cannot be renewed', () => {
  test('sets the connection to expired and says why', async () => {
    const { id, call } = await startScene(() => ({ status: 401 }));
    expect(await call()).toBe(401);
    expect(await lab.find(id)).toMatchObject({
      status: 'expired',
      statusReason: 'Its server refused the credentials (HTTP 401). Authorize it again.',
    });
    await expect(call()).rejects.toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    expect((await lab.listAudit(id)).at(-1)).toBe('connection.expired');
    expect((await lab.authorize(id)).status).toBe('active');
  });

  test('sets a connection with a key of its own to expired, until it gets another', async () => {
    const oauth = await startPlainOAuthServer();
    const mcp = await startScopedServer({
      issuer: oauth.issuer,
      refuse: (_method, token) => (token === 'good' ? null : { status: 401 }),
    });
    opened.push(oauth, mcp);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { type: 'bearer', token: 'bad' } });
    const { fetch } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(401);
    expect(await lab.find(id)).toMatchObject({
      status: 'expired',
      statusReason: 'Its server refused the credentials (HTTP 401). Give it new auth.',
    });
    await lab.update(id, { auth: { type: 'bearer', token: 'good' } });
    expect((await (await lab.open(id)).fetch(mcp.endpoint)).status).toBe(200);
    // The old session still has the old key.
    expect((await fetch(mcp.endpoint)).status).toBe(401);
    expect((await lab.find(id)).status).toBe('active');
  });

  test('leaves a connection without credentials active', async () => {
    const { mcp } = await startScene(() => null);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { type: 'none' } });
    const { fetch } = await lab.open(id);
    expect((await fetch(mcp.endpoint)).status).toBe(401);
    expect((await lab.find(id)).status).toBe('active');
  });
});

describe('a 403 for want of scopes', () => {
  test('asks for the old and the new scopes at the next consent, as the same client', async () => {
    const { id, oauth, call } = await startScene((_method, token) =>
      token === 'token-1' ? wantsWrite : null,
    );
    expect(await call()).toBe(403);
    expect(await lab.find(id)).toMatchObject({
      status: 'expired',
      statusReason: 'Its server wants more scopes: mcp:write. Authorize it again to grant them.',
    });
    const { url } = await lab.start(id);
    expect(new URL(url).searchParams.get('scope')).toBe('mcp:basic mcp:write');
    expect((await lab.authorize(id)).auth).toMatchObject({
      authorized: { scopes: ['mcp:basic', 'mcp:write'] },
    });
    expect(oauth.registrations()).toHaveLength(1);
    expect(await call()).toBe(200);
  });

  test('asks again for a scope that the person did not grant', async () => {
    const { id, call } = await startScene(() => wantsWrite, { scope: 'mcp:basic' });
    for (let round = 1; round <= 2; round += 1) {
      expect(await call()).toBe(403);
      expect((await lab.find(id)).status).toBe('expired');
      await lab.authorize(id);
    }
  });

  test('leaves the connection active when the scopes were granted already', async () => {
    const { id, call } = await startScene(() => wantsWrite);
    await call();
    await lab.authorize(id);
    expect(await call()).toBe(403);
    expect((await lab.find(id)).status).toBe('active');
  });

  test('tells the owner of client credentials which scopes to add', async () => {
    const { oauth, mcp } = await startScene(() => wantsWrite);
    const auth = { type: 'oauth2_client_credentials', clientId: 'service', clientSecret: 'secret' };
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { ...auth, issuer: oauth.issuer } });
    await (await lab.open(id)).fetch(mcp.endpoint);
    expect(await lab.find(id)).toMatchObject({
      status: 'expired',
      statusReason: 'Its server wants more scopes: mcp:write. Give auth with these scopes too.',
    });
  });

  test('that names another error leaves the connection active', async () => {
    const { id, call } = await startScene(() => ({ status: 403, challenge: 'error="invalid_request"' }));
    expect(await call()).toBe(403);
    expect((await lab.find(id)).status).toBe('active');
  });
});
