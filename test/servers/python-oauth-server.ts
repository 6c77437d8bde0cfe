import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

interface Client {
  method: string;
  secret?: string | undefined;
  scopes: string[];
}

interface PythonServerOptions {
  /** Clients that were registered by hand, by their ids. */
  clients?: Record<string, Client>;
}

interface Code {
  clientId: string;
  challenge: string;
}

const methods = ['client_secret_post', 'client_secret_basic'];

/**
 * Starts an authorization server with the checks of the Python MCP SDK (`mcp/server/auth` of 1.30 and 2.3, which FastMCP 4
 * uses too): `client_id` has to be in the form of every token request, a client authenticates only by the method that it
 * registered with, and may request only the scopes that it registered with.
 */
export async function startPythonOAuthServer(options: PythonServerOptions = {}) {
  const clients = new Map(Object.entries(options.clients ?? {}));
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, string>();
  const forms: URLSearchParams[] = [];
  const { url: issuer, close } = await startHttpServer((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === '/.well-known/oauth-authorization-server') return send(response, 200, toMetadata());
    if (pathname === '/register') return register(JSON.parse(body) as Record<string, unknown>, response);
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname !== '/token') return response.writeHead(404).end();
    const form = new URLSearchParams(body);
    forms.push(form);
    const refusal = authenticate(request.headers, form);
    if (refusal !== null) return send(response, 401, { error: 'invalid_client', error_description: refusal });
    return giveToken(form, response);
  });

  function toMetadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256'],
    };
  }

  function register(metadata: Record<string, unknown>, response: ServerResponse): unknown {
    const { token_endpoint_auth_method: method = 'client_secret_post', scope = '' } = metadata;
    const clientId = randomBytes(8).toString('hex');
    const secret = method === 'none' ? undefined : randomBytes(32).toString('hex');
    clients.set(clientId, { method: String(method), secret, scopes: toScopes(String(scope)) });
    return send(response, 201, { ...metadata, client_id: clientId, client_secret: secret });
  }

  /** Gives consent without a person. */
  function authorize(query: URLSearchParams, response: ServerResponse): unknown {
    const clientId = query.get('client_id') ?? '';
    const client = clients.get(clientId);
    if (!client) return send(response, 400, { error: 'invalid_request' });
    const location = new URL(query.get('redirect_uri') ?? '');
    location.searchParams.set('state', query.get('state') ?? '');
    if (toScopes(query.get('scope') ?? '').every((scope) => client.scopes.includes(scope))) {
      const code = randomBytes(8).toString('hex');
      codes.set(code, { clientId, challenge: query.get('code_challenge') ?? '' });
      location.searchParams.set('code', code);
    } else location.searchParams.set('error', 'invalid_scope');
    return response.writeHead(302, { location: location.href }).end();
  }

  /** Returns why a client is refused, as `ClientAuthenticator` of the SDK does; null for one that is accepted. */
  function authenticate(headers: IncomingMessage['headers'], form: URLSearchParams): string | null {
    const clientId = form.get('client_id') ?? '';
    if (clientId === '') return 'Missing client_id';
    const client = clients.get(clientId);
    if (!client) return 'Invalid client_id';
    if (client.method === 'none') return null;
    if (client.method === 'client_secret_post') {
      return form.get('client_secret') === client.secret ? null : 'Client secret is required';
    }
    const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (basic === undefined) return 'Missing or invalid Basic authentication in Authorization header';
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    if (id !== clientId) return 'Client ID mismatch in Basic auth';
    return secret === client.secret ? null : 'Invalid client_secret';
  }

  function giveToken(form: URLSearchParams, response: ServerResponse): unknown {
    const isGood = form.get('grant_type') === 'refresh_token' ? takeRefreshToken(form) : takeCode(form);
    if (!isGood) return send(response, 400, { error: 'invalid_grant' });
    const refreshToken = randomBytes(8).toString('hex');
    refreshTokens.set(refreshToken, form.get('client_id') ?? '');
    const accessToken = randomBytes(8).toString('hex');
    return send(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 0,
      refresh_token: refreshToken,
    });
  }

  function takeCode(form: URLSearchParams): boolean {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return code?.clientId === form.get('client_id') && code.challenge === challenge;
  }

  function takeRefreshToken(form: URLSearchParams): boolean {
    const token = form.get('refresh_token') ?? '';
    const clientId = refreshTokens.get(token);
    refreshTokens.delete(token);
    return clientId !== undefined && clientId === form.get('client_id');
  }

  return {
    issuer,
    clients,
    /** The forms that the token endpoint got. */
    forms,
    /** Revokes all refresh tokens. */
    revoke: () => refreshTokens.clear(),
    close,
  };
}

function toScopes(text: string): string[] {
  return text.split(' ').filter((scope) => scope !== '');
}

function send(response: ServerResponse, status: number, body: unknown): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
