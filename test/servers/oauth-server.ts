import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

interface Client {
  secret?: string | undefined;
  redirectUris: string[];
}

interface OAuthServerOptions {
  /** @default 3600 */
  expiresInSeconds?: number;
  /** Whether clients may register themselves. @default true */
  registers?: boolean;
  /** Whether it sends its issuer in its answers (RFC 9207). @default true */
  namesIssuer?: boolean;
  /** @default true */
  supportsPkce?: boolean;
  /** Clients that were registered by hand, by their ids. */
  clients?: Record<string, Client>;
}

interface Grant {
  clientId: string;
  resource: string | null;
  accessTokens: Set<string>;
  refreshToken: string;
  usedRefreshTokens: Set<string>;
  isRevoked: boolean;
}

interface Code {
  clientId: string;
  redirectUri: string;
  challenge: string;
  resource: string | null;
}

/** A received request, for tests that look for secrets. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An authorization server that follows the standards and refuses clients that do not. */
export async function startOAuthServer(options: OAuthServerOptions = {}) {
  const clients = new Map<string, Client>(Object.entries(options.clients ?? {}));
  const grants: Grant[] = [];
  const codes = new Map<string, Code>();
  const requests: SeenRequest[] = [];
  const counts = { refreshes: 0, clientTokens: 0 };
  const ended = new Set<string>();
  const clientTokens = new Set<string>();
  const state = { isDown: false, delayMs: 0 };
  const { url: issuer, close } = await startHttpServer(answer);

  async function answer(request: IncomingMessage, response: ServerResponse, body: string): Promise<unknown> {
    const url = new URL(request.url ?? '/', issuer);
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    if (state.isDown) return response.writeHead(503).end();
    if (url.pathname === '/.well-known/oauth-authorization-server') return send(response, 200, toMetadata());
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/register' && options.registers !== false) return register(body, response);
    if (url.pathname !== '/token') return response.writeHead(404).end();
    await new Promise((resolve) => setTimeout(resolve, state.delayMs));
    return giveToken(request, new URLSearchParams(body), response);
  }

  function toMetadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...(options.registers === false ? {} : { registration_endpoint: `${issuer}/register` }),
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      ...(options.supportsPkce === false ? {} : { code_challenge_methods_supported: ['S256'] }),
      authorization_response_iss_parameter_supported: options.namesIssuer !== false,
    };
  }

  function register(body: string, response: ServerResponse): ServerResponse {
    const { redirect_uris: redirectUris } = JSON.parse(body) as { redirect_uris: string[] };
    const clientId = `client-${randomBytes(6).toString('hex')}`;
    clients.set(clientId, { redirectUris });
    return send(response, 201, {
      client_id: clientId,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
    });
  }

  /** Gives consent without a person. */
  function authorize(query: URLSearchParams, response: ServerResponse): ServerResponse {
    const clientId = query.get('client_id') ?? '';
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const isGood =
      clients.get(clientId)?.redirectUris.includes(redirectUri) === true &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      challenge !== '';
    if (!isGood) return send(response, 400, { error: 'invalid_request' });
    const code = `code-${randomBytes(16).toString('hex')}`;
    codes.set(code, { clientId, redirectUri, challenge, resource: query.get('resource') });
    const location = new URL(redirectUri);
    location.searchParams.set('code', code);
    location.searchParams.set('state', query.get('state') ?? '');
    if (options.namesIssuer !== false) location.searchParams.set('iss', issuer);
    return response.writeHead(302, { location: location.href }).end();
  }

  function giveToken(
    request: IncomingMessage,
    form: URLSearchParams,
    response: ServerResponse,
  ): ServerResponse {
    const clientId = authenticate(request, form);
    if (clientId === null) return send(response, 401, { error: 'invalid_client' });
    const grantType = form.get('grant_type');
    if (grantType === 'client_credentials') return giveClientToken(response);
    const grant = grantType === 'refresh_token' ? refresh(form, clientId) : exchange(form, clientId);
    if (!grant) return send(response, 400, { error: 'invalid_grant', error_description: 'it is not good' });
    const accessToken = `access-${randomBytes(16).toString('hex')}`;
    grant.accessTokens.add(accessToken);
    return send(response, 200, toAnswer(accessToken, grant.refreshToken));
  }

  function giveClientToken(response: ServerResponse): ServerResponse {
    counts.clientTokens += 1;
    const accessToken = `client-access-${randomBytes(16).toString('hex')}`;
    clientTokens.add(accessToken);
    return send(response, 200, toAnswer(accessToken, undefined));
  }

  function toAnswer(accessToken: string, refreshToken: string | undefined) {
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: options.expiresInSeconds ?? 3600,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    };
  }

  function authenticate(request: IncomingMessage, form: URLSearchParams): string | null {
    const [, basic = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    // RFC 6749, section 2.3.1: both parts are encoded as in a form.
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decode);
    const clientId = id === undefined || id === '' ? (form.get('client_id') ?? '') : id;
    const client = clients.get(clientId);
    return client && (client.secret === undefined || client.secret === secret) ? clientId : null;
  }

  function exchange(form: URLSearchParams, clientId: string): Grant | null {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code?.clientId === clientId &&
      code.redirectUri === form.get('redirect_uri') &&
      code.challenge === challenge &&
      code.resource === form.get('resource');
    if (!isGood) return null;
    const grant: Grant = {
      clientId,
      resource: code.resource,
      accessTokens: new Set(),
      refreshToken: createRefreshToken(),
      usedRefreshTokens: new Set(),
      isRevoked: false,
    };
    grants.push(grant);
    return grant;
  }

  /** Accepts each refresh token once. A second use counts as theft and ends the whole grant (RFC 9700). */
  function refresh(form: URLSearchParams, clientId: string): Grant | null {
    const token = form.get('refresh_token') ?? '';
    const stolen = grants.find(({ usedRefreshTokens }) => usedRefreshTokens.has(token));
    if (stolen) stolen.isRevoked = true;
    const grant = grants.find((one) => one.refreshToken === token && one.clientId === clientId);
    if (!grant || grant.isRevoked || grant.resource !== form.get('resource')) return null;
    counts.refreshes += 1;
    grant.usedRefreshTokens.add(token);
    grant.refreshToken = createRefreshToken();
    return grant;
  }

  return {
    issuer,
    requests,
    counts,
    grants,
    state,
    /** Returns true for a valid access token, as its resource server would check it. */
    isGood: (accessToken: string) =>
      !ended.has(accessToken) &&
      (clientTokens.has(accessToken) ||
        grants.some(({ accessTokens, isRevoked }) => !isRevoked && accessTokens.has(accessToken))),
    clientTokens,
    /** Adds a redirect address to a client that was registered by hand. */
    allowRedirect: (clientId: string, redirectUri: string) =>
      clients.get(clientId)?.redirectUris.push(redirectUri),
    /** Forgets every client, as after a new installation of the server. */
    forgetClients: () => clients.clear(),
    /** Ends all access tokens that were issued so far. */
    endAccessTokens: () => {
      for (const token of [...clientTokens, ...grants.flatMap(({ accessTokens }) => [...accessTokens])])
        ended.add(token);
    },
    revokeGrants: () => {
      for (const grant of grants) grant.isRevoked = true;
    },
    close,
  };
}

export type OAuthServer = Awaited<ReturnType<typeof startOAuthServer>>;

/** Consents as a person in a browser does, and returns the address that the browser is redirected to. */
export async function giveConsent(authorizationUrl: string): Promise<URL> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`there was no consent: ${response.status} ${await response.text()}`);
  return new URL(location);
}

interface ResourceServerOptions {
  /** Returns true for a valid token. */
  isGood: (accessToken: string) => boolean;
  /** The issuer of its authorization server; without one it serves no metadata. */
  issuer?: string | undefined;
  /** The resource that its metadata names. @default its own address */
  resource?: string;
  /** The scopes in its metadata. @default ['tools'] */
  scopes?: unknown;
  /** Whether its 401 has the address of the metadata. @default true */
  challenges?: boolean;
}

/** Starts a server that requires a bearer token and refers clients without one to its metadata (RFC 9728). */
export async function startResourceServer(options: ResourceServerOptions) {
  const requests: SeenRequest[] = [];
  const { url: origin, close } = await startHttpServer(answer);
  const endpoint = `${origin}/mcp`;
  const settings = { issuer: options.issuer };

  function answer(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') && settings.issuer !== undefined) {
      const resource = options.resource ?? endpoint;
      return send(response, 200, {
        resource,
        authorization_servers: [settings.issuer],
        scopes_supported: options.scopes ?? ['tools'],
      });
    }
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (options.isGood(token)) return send(response, 200, { answer: 'hello', body });
    const metadata = `${origin}/.well-known/oauth-protected-resource/from-challenge`;
    const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}"`;
    return response
      .writeHead(401, options.challenges === false ? {} : { 'www-authenticate': challenge })
      .end();
  }

  return {
    endpoint,
    requests,
    settings,
    close,
  };
}

export type ResourceServer = Awaited<ReturnType<typeof startResourceServer>>;

function createRefreshToken(): string {
  return `refresh-${randomBytes(16).toString('hex')}`;
}

function send(response: ServerResponse, status: number, body: unknown): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
