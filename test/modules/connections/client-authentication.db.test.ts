import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startConnectionLab, toCallback, type ConnectionLab } from '../../labs/connection-lab.ts';
import { giveConsent } from '../../servers/oauth-server.ts';
import { startPlainOAuthServer, startScopedServer } from '../../servers/plain-oauth-server.ts';
import { startPythonOAuthServer } from '../../servers/python-oauth-server.ts';

let lab: ConnectionLab;
const opened: { close: () => unknown }[] = [];

beforeAll(async () => {
  lab = await startConnectionLab();
});
afterAll(() => lab.stop());
afterEach(() => {
  for (const part of opened.splice(0)) part.close();
});

const noToken = (_method: string, token: string | null) => (token === null ? { status: 401 } : null);

/** Starts an MCP server that names an authorization server and its scopes. */
async function startMcp(oauth: { issuer: string; close: () => unknown }, scopes = ['tools']) {
  const mcp = await startScopedServer({ issuer: oauth.issuer, scopes, refuse: noToken });
  opened.push(oauth, mcp);
  return mcp;
}

async function connect(endpoint: string, auth: object = {}) {
  const { id } = await lab.create({ endpoint, auth: { type: 'oauth2_authorization_code', ...auth } });
  return lab.authorize(id);
}

/** Calls the endpoint over a connection, whose token is refreshed before. */
async function call({ id }: { id: string }, endpoint: string): Promise<number> {
  const { fetch } = await lab.open(id);
  return (await fetch(endpoint, { method: 'POST', body: '{"method":"ping"}' })).status;
}

describe('an authorization server of the Python MCP SDK', () => {
  test('registers a client, and gives and refreshes its tokens', async () => {
    const oauth = await startPythonOAuthServer();
    const mcp = await startMcp(oauth);
    const connection = await connect(mcp.endpoint);
    expect(connection.status).toBe('active');
    expect([...oauth.clients.values()]).toMatchObject([{ method: 'client_secret_post', scopes: ['tools'] }]);
    expect(await call(connection, mcp.endpoint)).toBe(200);
    expect(oauth.forms.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
  });

  test.each(['client_secret_basic', 'client_secret_post'])(
    'accepts a client that was registered by hand with %s, at once when it refreshes',
    async (method) => {
      const clients = { ours: { method, secret: 'secret', scopes: ['tools'] } };
      const oauth = await startPythonOAuthServer({ clients });
      const mcp = await startMcp(oauth);
      const given = { issuer: oauth.issuer, clientId: 'ours', clientSecret: 'secret' };
      const connection = await connect(mcp.endpoint, given);
      expect(connection.status).toBe('active');
      const before = oauth.forms.length;
      expect(await call(connection, mcp.endpoint)).toBe(200);
      expect(oauth.forms.length - before).toBe(1);
    },
  );

  test('accepts a client without a secret that was registered by hand', async () => {
    const clients = { ours: { method: 'none', scopes: ['tools'] } };
    const oauth = await startPythonOAuthServer({ clients });
    const mcp = await startMcp(oauth);
    expect((await connect(mcp.endpoint, { clientId: 'ours' })).status).toBe('active');
  });

  test('ends the connection when it has revoked the tokens', async () => {
    const oauth = await startPythonOAuthServer();
    const mcp = await startMcp(oauth);
    const { id } = await connect(mcp.endpoint);
    oauth.revoke();
    await expect(call({ id }, mcp.endpoint)).rejects.toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    expect((await lab.find(id)).status).toBe('expired');
  });
});

describe('an authorization server that takes Basic authentication only', () => {
  const metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
  const registration = { client_secret: 'given', token_endpoint_auth_method: 'client_secret_basic' };

  test('may refuse client_id in the form beside it', async () => {
    const oauth = await startPlainOAuthServer({
      metadata,
      registration,
      refuseToken: (form) => (form.has('client_id') ? { error: 'invalid_request' } : null),
    });
    const mcp = await startMcp(oauth);
    expect((await connect(mcp.endpoint)).status).toBe('active');
    expect(oauth.forms()).toHaveLength(1);
  });

  test('may demand client_id in the form beside it', async () => {
    const oauth = await startPlainOAuthServer({
      metadata,
      registration,
      refuseToken: (form) => (form.has('client_id') ? null : { error: 'invalid_client' }),
    });
    const mcp = await startMcp(oauth);
    expect((await connect(mcp.endpoint)).status).toBe('active');
    expect(oauth.forms().map((form) => form.get('client_id'))).toEqual([null, 'registered']);
    expect(oauth.forms().some((form) => form.has('client_secret'))).toBe(false);
  });

  test('is asked in no other way when it refuses the code', async () => {
    const oauth = await startPlainOAuthServer({
      metadata,
      registration,
      refuseToken: () => ({ error: 'invalid_grant' }),
    });
    const mcp = await startMcp(oauth);
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: { type: 'oauth2_authorization_code' } });
    const { url } = await lab.start(id);
    await expect(lab.finish(toCallback(await giveConsent(url)))).rejects.toThrow('invalid_grant');
    expect(oauth.forms()).toHaveLength(1);
  });
});

test('a client is registered without scopes where the server refuses to register them', async () => {
  const oauth = await startPlainOAuthServer({
    refuseRegistration: ({ scope }) => (scope === undefined ? null : { error: 'invalid_client_metadata' }),
  });
  const mcp = await startMcp(oauth);
  expect((await connect(mcp.endpoint)).status).toBe('active');
  expect(oauth.registrations().map(({ scope }) => scope)).toEqual(['tools', undefined]);
});

test('a client with client credentials sends its id in the form where the server demands it', async () => {
  const oauth = await startPlainOAuthServer({
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    refuseToken: (form) => (form.has('client_id') ? null : { error: 'invalid_client' }),
  });
  const mcp = await startMcp(oauth);
  const given = { issuer: oauth.issuer, clientId: 'ours', clientSecret: 'secret' };
  const { id } = await lab.create({
    endpoint: mcp.endpoint,
    auth: { type: 'oauth2_client_credentials', ...given },
  });
  expect(await call({ id }, mcp.endpoint)).toBe(200);
});
