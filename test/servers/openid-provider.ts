import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';

/** The claims of a person besides the subject. */
export type Claims = Record<string, unknown>;

export const audience = 'https://holdfast.test';
/** A client of pages and of connections: its redirect may come back to any port of loopback (RFC 8252, section 7.3). */
export const pageClient = { clientId: 'pages' };

const client = { id: 'console', secret: 'console-secret', redirect: 'http://127.0.0.1:9/callback' };

async function createKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

/** Starts a real OpenID provider on loopback, at which any name can sign in; `claimsOf` returns the claims of its tokens. */
export async function startOpenIdProvider(claimsOf: (subject: string) => Claims) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirect] },
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        ...{ client_id: pageClient.clientId, application_type: 'native' },
        redirect_uris: ['http://127.0.0.1/api/login/callback', 'http://127.0.0.1/api/oauth/callback'],
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
        token_endpoint_auth_method: 'none',
      },
    ],
    jwks: { keys: [await createKey('first')] },
    cookies: { keys: ['only-for-tests'] },
    pkce: { required: (_context, { clientId }) => clientId === pageClient.clientId },
    conformIdTokenClaims: false,
    claims: { email: ['email', 'email_verified'], profile: ['org', 'roles', 'groups'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...claimsOf(id) }) }),
    extraTokenClaims: (_context, token) => ('accountId' in token ? claimsOf(token.accountId) : undefined),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: 'api', audience, accessTokenFormat: 'jwt', accessTokenTTL: 600 },
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    issuer,
    /** Signs a person in through the pages of the provider, and returns the access token. */
    signIn: (subject: string) => signIn(issuer, subject),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function signIn(issuer: string, subject: string): Promise<string> {
  const browser = createBrowser();
  const query = new URLSearchParams({
    ...{ client_id: client.id, redirect_uri: client.redirect, response_type: 'code' },
    ...{ scope: 'openid api', resource: audience },
  });
  const login = await browser.follow(`${issuer}/auth?${query.toString()}`);
  const consent = await browser.post(login, { prompt: 'login', login: subject, password: 'any' });
  const back = await browser.post(consent, { prompt: 'consent' });
  const code = new URL(back).searchParams.get('code') ?? '';
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: client.redirect, resource: audience },
      ...{ client_id: client.id, client_secret: client.secret },
    }),
  });
  const answer = (await response.json()) as { access_token?: string };
  if (answer.access_token === undefined) throw new Error(`no token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

/** Follows redirects with the cookies of one browser, and stops at a page or at the address of the client. */
function createBrowser() {
  const cookies = new Map<string, string>();
  const send = async (url: string, init: RequestInit = {}): Promise<string> => {
    if (url.startsWith(client.redirect)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    await response.body?.cancel();
    return location === null ? url : send(new URL(location, url).href);
  };
  return {
    follow: (url: string) => send(url),
    post: (url: string, form: Record<string, string>) =>
      send(url, { method: 'POST', body: new URLSearchParams(form) }),
  };
}
