import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderFacts } from '../../../src/modules/connections/connection-parts.ts';
import { startConnectionLab, type ConnectionLab } from '../../labs/connection-lab.ts';
import { startPlainOAuthServer, type PlainOAuthServer } from '../../servers/plain-oauth-server.ts';
import { startVendorServer, type VendorServer } from '../../servers/vendor-server.ts';

const token = '123456:token-with-a-colon';
const values = { apiKey: 'api-key-1234567890', appKey: 'app-key-1234567890', botToken: token };
const auth = { type: 'keys', values };

let lab: ConnectionLab;
let server: VendorServer;
let other: VendorServer;
let oauth: PlainOAuthServer;
beforeAll(async () => {
  server = await startVendorServer(({ headers }) => ({ body: headers }));
  other = await startVendorServer();
  oauth = await startPlainOAuthServer({
    token: { token_type: undefined, refresh_token: 'refresh-1', expires_in: 0 },
  });
  const providers: Record<string, ProviderFacts> = {
    keyed: {
      baseUrl: `${server.url}/v1/{account}/bot{botToken}`,
      variables: {
        account: { description: 'The account', example: 'AC1' },
        upload: {
          description: 'Where files go',
          example: '127.0.0.1',
          oneOf: ['127.0.0.1'],
          default: '127.0.0.1',
        },
      },
      auth: {
        keys: {
          apiKey: { title: 'API key', header: 'X-Api', prefix: 'Key ' },
          appKey: { title: 'Application key', query: 'app_key' },
          botToken: { title: 'Token', path: true },
        },
      },
      operations: {
        upload: { baseUrl: other.url.replace('127.0.0.1', '{upload}'), scopes: ['files:write'] },
      },
    },
    desk: {
      baseUrl: 'https://{subdomain}.{site}',
      variables: {
        subdomain: { description: 'The subdomain', example: 'acme' },
        site: {
          description: 'The site',
          example: 'desk.example',
          oneOf: ['desk.example', 'desk.eu'],
          default: 'desk.example',
        },
      },
      auth: {
        oauth: {
          authorizationUrl: 'https://{subdomain}.desk.example/oauth',
          tokenUrl: 'https://{subdomain}.desk.example/token',
          scopes: ['offline'],
          scopeSeparator: ',',
        },
      },
      operations: {
        read: { scopes: ['tickets:read'] },
        write: { scopes: [['tickets:write', 'write'], 'tickets:read'] },
        ping: {},
      },
    },
  };
  const plain = { authorizationUrl: `${oauth.issuer}/authorize`, tokenUrl: `${oauth.issuer}/token` };
  providers['elsewhere'] = {
    baseUrl: 'https://{site}.example',
    variables: {
      site: { description: 'The site', example: 'acme' },
      cloudId: { description: 'The id of the site', example: 'c-1' },
      accountId: { description: 'The account', example: 'A1' },
    },
    auth: {
      oauth: {
        ...plain,
        baseUrl: `${server.url}/ex/{cloudId}`,
        refreshUrl: `${oauth.issuer}/refresh`,
        tokenHeader: 'X-Access-Token',
        scopes: [],
        clientAuthentication: 'post',
        clientGrant: { type: 'account_credentials', parameters: { account_id: '{accountId}' } },
      },
    },
  };
  lab = await startConnectionLab({ findProvider: (name) => Promise.resolve(providers[name]) });
});
afterAll(async () => {
  await server.close();
  await other.close();
  await oauth.close();
  await lab.stop();
});

describe('a connection with several secrets', () => {
  test('sends each in its place, to the origins of its provider only', async () => {
    const { id, auth: shown } = await lab.create({ provider: 'keyed', variables: { account: 'AC7' }, auth });
    expect(JSON.stringify(shown)).not.toContain('1234567890');
    const { baseUrl, fetch, redact } = await lab.open(id);
    expect(baseUrl).toBe(`${server.url}/v1/AC7/bot{botToken}`);
    await fetch(`${baseUrl ?? ''}/things?q=%7BbotToken%7D`);
    await fetch(`${other.url}/upload`);
    const foreign = await startVendorServer();
    await fetch(`${foreign.url}/v1`).finally(() => foreign.close());
    expect(server.requests.at(-1)).toMatchObject({
      target: `/v1/AC7/bot${token}/things?q=%7BbotToken%7D&app_key=app-key-1234567890`,
      headers: { 'x-api': 'Key api-key-1234567890' },
    });
    expect(other.requests.at(-1)?.headers['x-api']).toBe('Key api-key-1234567890');
    expect(foreign.requests).toMatchObject([{ target: '/v1' }]);
    expect(foreign.requests[0]?.headers['x-api']).toBeUndefined();
    expect(redact(`GET /bot${token}/things`)).toBe('GET /bot[redacted]/things');
  });

  test('sends them to its endpoint only when it has one', async () => {
    const endpoint = `${server.url}/own/{botToken}`;
    const { id } = await lab.create({ provider: 'keyed', endpoint, auth });
    const { baseUrl, fetch } = await lab.open(id);
    await fetch(`${baseUrl ?? ''}/things`);
    await fetch(`${other.url}/upload`);
    expect(server.requests.at(-1)?.target).toMatch(`/own/${token}/things`);
    expect(other.requests.at(-1)?.headers['x-api']).toBeUndefined();
  });

  test.each([
    ['is missing', { apiKey: 'a', appKey: 'b' }, 'auth.values.botToken'],
    ['is unknown', { ...values, more: 'c' }, 'auth.values.more'],
    ['no header can carry', { ...values, apiKey: 'a\nb' }, 'auth.values.apiKey'],
  ])('is refused when a secret %s', async (_, given, field) => {
    const input = { provider: 'keyed', variables: { account: 'A' }, auth: { type: 'keys', values: given } };
    await expect(lab.create(input)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: [{ field }] });
  });
});

describe('a connection with variables', () => {
  test('has them in its base URL, with defaults', async () => {
    const { id, variables } = await lab.create({ provider: 'desk', variables: { subdomain: 'acme' } });
    expect(variables).toEqual({ subdomain: 'acme' });
    expect((await lab.open(id)).baseUrl).toBe('https://acme.desk.example');
  });

  test.each([
    ['a missing one', {}, 'variables.subdomain'],
    ['an unknown one', { subdomain: 'acme', port: '1' }, 'variables.port'],
    ['another host', { subdomain: 'evil.example/' }, 'variables.subdomain'],
    ['several labels', { subdomain: 'a.b' }, 'variables.subdomain'],
    ['a user name', { subdomain: 'x@evil' }, 'variables.subdomain'],
    ['a value that is not in the list', { subdomain: 'acme', site: 'evil.example' }, 'variables.site'],
  ])('is refused with %s', async (_, variables, field) => {
    await expect(lab.create({ provider: 'desk', variables })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: [{ field }],
    });
  });

  test.each(['..', 'a/b', 'a?b'])('takes no %j in a path', async (account) => {
    await expect(lab.create({ provider: 'keyed', variables: { account }, auth })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('needs new auth to go to another origin', async () => {
    const bearer = { type: 'bearer' as const, token: 'token-1234567890' };
    const { id } = await lab.create({ provider: 'desk', variables: { subdomain: 'acme' }, auth: bearer });
    const variables = { subdomain: 'evil' };
    await expect(lab.update(id, { variables })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await lab.update(id, { variables, auth: bearer })).toMatchObject({ variables, status: 'active' });
  });

  test('asks for consent at its own address, for the scopes of all operations or of those it names', async () => {
    const asked = async (more: object) => {
      const input = { type: 'oauth2_authorization_code', clientId: 'c', ...more };
      const { id } = await lab.create({ provider: 'desk', variables: { subdomain: 'acme' }, auth: input });
      const { host, searchParams } = new URL((await lab.start(id)).url);
      return [host, searchParams.get('scope')];
    };
    expect(await asked({})).toEqual(['acme.desk.example', 'offline,tickets:read,tickets:write']);
    expect(await asked({ operations: ['read', 'ping'] })).toEqual([
      'acme.desk.example',
      'offline,tickets:read',
    ]);
    expect(await asked({ scopes: ['mine'] })).toEqual(['acme.desk.example', 'mine']);
  });
});

describe('a connection with OAuth to a provider that does things its own way', () => {
  const code = {
    type: 'oauth2_authorization_code' as const,
    clientId: 'c',
    clientSecret: 'secret-1234567890',
  };
  const client = { ...code, type: 'oauth2_client_credentials' as const };

  test('sends the token in the header of the provider, to the address for tokens', async () => {
    const { id } = await lab.create({ provider: 'elsewhere', variables: { cloudId: 'c-7' }, auth: code });
    await lab.authorize(id);
    const { baseUrl, fetch } = await lab.open(id);
    expect(baseUrl).toBe(`${server.url}/ex/c-7`);
    await fetch(`${baseUrl ?? ''}/things`);
    const sent = server.requests.at(-1);
    expect(sent?.headers['x-access-token']).toMatch(/^token-\d+$/);
    expect(sent?.headers.authorization).toBeUndefined();
  });

  test('refreshes the token at an address of its own', async () => {
    const { id } = await lab.create({ provider: 'elsewhere', variables: { cloudId: 'c-7' }, auth: code });
    await lab.authorize(id);
    oauth.requests.length = 0;
    const { baseUrl, fetch } = await lab.open(id);
    await fetch(`${baseUrl ?? ''}/things`);
    const [refresh] = oauth.requests;
    expect(refresh?.path).toBe('/refresh');
    expect(Object.fromEntries(new URLSearchParams(refresh?.body))).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    });
  });

  test('gets a token for the client at the address of the provider, by its own grant', async () => {
    const variables = { cloudId: 'c-7', accountId: 'A7' };
    const { id } = await lab.create({ provider: 'elsewhere', variables, auth: client });
    oauth.requests.length = 0;
    const { baseUrl, fetch } = await lab.open(id);
    await fetch(`${baseUrl ?? ''}/things`);
    expect(Object.fromEntries(oauth.forms()[0] ?? [])).toEqual({
      ...{ grant_type: 'account_credentials', account_id: 'A7' },
      ...{ client_id: 'c', client_secret: 'secret-1234567890' },
    });
    expect(server.requests.at(-1)?.headers['x-access-token']).toMatch(/^token-\d+$/);
  });

  test.each([
    ['a person who consents', code, ['variables.cloudId']],
    ['a client', client, ['variables.cloudId', 'variables.accountId']],
    ['a token', { type: 'bearer' as const, token: 'token-1234567890' }, ['variables.site']],
  ])('needs the variables of its own type of auth: %s', async (_, given, fields) => {
    await expect(lab.create({ provider: 'elsewhere', auth: given })).rejects.toMatchObject({
      details: fields.map((field) => ({ field })),
    });
  });

  test('needs new auth for a variable that leads to another origin, and none for other changes', async () => {
    const bearer = { type: 'bearer' as const, token: 'token-1234567890' };
    const { id } = await lab.create({ provider: 'elsewhere', variables: { site: 'acme' }, auth: bearer });
    await expect(lab.update(id, { variables: { site: 'evil' } })).rejects.toMatchObject({
      details: [{ field: 'auth' }],
    });
    const own = await lab.create({ provider: 'elsewhere', variables: { cloudId: 'c-7' }, auth: code });
    expect(await lab.update(own.id, { variables: { cloudId: 'c-8' } })).toMatchObject({
      variables: { cloudId: 'c-8' },
    });
  });
});
