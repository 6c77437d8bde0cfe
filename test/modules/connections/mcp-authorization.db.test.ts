import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { redirectUri, startConnectionLab, type ConnectionLab } from '../../labs/connection-lab.ts';
import {
  startPlainOAuthServer,
  startScopedServer,
  type PlainOAuthServer,
} from '../../servers/plain-oauth-server.ts';

const clientMetadataUrl = 'https://holdfast.example/api/oauth/client-metadata.json';

let lab: ConnectionLab;
const opened: { close: () => unknown }[] = [];

beforeAll(async () => {
  lab = await startConnectionLab({ clientMetadataUrl });
});
afterAll(() => lab.stop());
afterEach(() => {
  for (const part of opened.splice(0)) part.close();
});

const codeAuth = { type: 'oauth2_authorization_code' };
const noToken = (_method: string, token: string | null) => (token === null ? { status: 401 } : null);

async function startPair(
  options: Parameters<typeof startPlainOAuthServer>[0] = {},
  mcpOptions: Partial<Parameters<typeof startScopedServer>[0]> = {},
) {
  const oauth = await startPlainOAuthServer(options);
  const { issuer } = oauth;
  const mcp = await startScopedServer({ issuer, scopes: ['tools'], refuse: noToken, ...mcpOptions });
  opened.push(oauth, mcp);
  return { oauth, mcp };
}

/** Starts an authorization, and returns the parameters of the address for the browser. */
async function ask(auth: object, endpoint: string): Promise<Record<string, string>> {
  const { id } = await lab.create({ endpoint, auth });
  const { url } = await lab.start(id);
  return Object.fromEntries(new URL(url).searchParams);
}

function listHeaders({ requests }: PlainOAuthServer): (string | undefined)[] {
  return requests.filter(({ path }) => path === '/token').map(({ headers }) => headers.authorization);
}

describe('a client that is registered', () => {
  test('may get a secret without the time at which it expires', async () => {
    const registration = { client_secret: 'given', token_endpoint_auth_method: 'client_secret_basic' };
    const metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const { oauth, mcp } = await startPair({ registration, metadata });
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    expect((await lab.authorize(id)).status).toBe('active');
    expect(listHeaders(oauth)).toEqual([`Basic ${btoa('registered:given')}`]);
  });

  test('says that it is a native one when browsers come back to this machine', async () => {
    const { oauth, mcp } = await startPair();
    await ask(codeAuth, mcp.endpoint);
    expect(oauth.registrations()).toMatchObject([
      { application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] },
    ]);
  });
});

describe('a client with a secret', () => {
  test('sends the characters of its id and secret that a form need not encode as they are', async () => {
    const { oauth, mcp } = await startPair();
    const client = { clientId: 'our-client_1.a~b', clientSecret: 's-e.c~r_e:t%' };
    const auth = { ...codeAuth, ...client, issuer: oauth.issuer };
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth });
    expect((await lab.authorize(id)).status).toBe('active');
    expect(listHeaders(oauth)).toEqual([`Basic ${btoa('our-client_1.a~b:s-e.c~r_e%3At%25')}`]);
  });

  test('sends it to the issuer that its owner named, and to no other', async () => {
    const { oauth } = await startPair();
    const { mcp, oauth: foreign } = await startPair();
    const auth = { ...codeAuth, clientId: 'ours', clientSecret: 'secret', issuer: oauth.issuer };
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth });
    await lab.authorize(id);
    expect(oauth.forms()).toHaveLength(1);
    expect(foreign.requests).toEqual([]);
  });
});

describe('a client-id metadata document', () => {
  test('is the client where the server reads such documents', async () => {
    const { oauth, mcp } = await startPair({ metadata: { client_id_metadata_document_supported: true } });
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: codeAuth });
    expect((await lab.authorize(id)).auth).toMatchObject({ authorized: { clientId: clientMetadataUrl } });
    expect(oauth.registrations()).toEqual([]);
    expect(oauth.forms()[0]?.get('client_id')).toBe(clientMetadataUrl);
  });

  test('is not used where the server does not say that it reads them', async () => {
    const { mcp } = await startPair();
    expect(await ask(codeAuth, mcp.endpoint)).toMatchObject({ client_id: 'registered' });
  });

  test('is not used when its own address is not of https', async () => {
    const own = await startConnectionLab();
    const { mcp } = await startPair({ metadata: { client_id_metadata_document_supported: true } });
    try {
      const { id } = await own.create({ endpoint: mcp.endpoint, auth: codeAuth });
      const { url } = await own.start(id);
      expect(new URL(url).searchParams.get('client_id')).toBe('registered');
    } finally {
      await own.stop();
    }
  });
});

describe('the challenge of a server', () => {
  test('is found when only the list of tools needs credentials', async () => {
    const { mcp } = await startPair(
      {},
      {
        refuse: (method, token) =>
          method === 'initialize' || token !== null ? null : { status: 401, challenge: 'scope="mcp:read"' },
      },
    );
    expect(await ask(codeAuth, mcp.endpoint)).toMatchObject({ scope: 'mcp:read' });
    expect(mcp.methods).toEqual(['initialize', 'tools/list']);
  });
});

describe('the scope offline_access', () => {
  test('is requested where the authorization server offers it', async () => {
    const { mcp } = await startPair({ metadata: { scopes_supported: ['tools', 'offline_access'] } });
    const asked = await ask(codeAuth, mcp.endpoint);
    expect(asked).toMatchObject({ scope: 'tools offline_access', prompt: 'consent' });
  });

  test('is not requested where it is not offered', async () => {
    const { mcp } = await startPair({ metadata: { scopes_supported: ['tools'] } });
    const asked = await ask(codeAuth, mcp.endpoint);
    expect(asked).toMatchObject({ scope: 'tools' });
    expect(asked).not.toHaveProperty('prompt');
  });
});

describe('the resource', () => {
  const toGiven = ({ issuer }: PlainOAuthServer) => ({
    ...codeAuth,
    clientId: 'ours',
    authorizationUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
  });

  test('is named also at addresses that the owner gave', async () => {
    const { oauth, mcp } = await startPair();
    const { id } = await lab.create({ endpoint: mcp.endpoint, auth: toGiven(oauth) });
    const { url } = await lab.start(id);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      resource: mcp.endpoint,
      redirect_uri: redirectUri,
    });
    await lab.authorize(id);
    expect(oauth.forms()[0]?.get('resource')).toBe(mcp.endpoint);
  });

  test('is left out when the owner gave null', async () => {
    const { oauth, mcp } = await startPair();
    expect(await ask({ ...toGiven(oauth), resource: null }, mcp.endpoint)).not.toHaveProperty('resource');
    expect(await ask({ ...codeAuth, resource: null }, mcp.endpoint)).not.toHaveProperty('resource');
  });
});
