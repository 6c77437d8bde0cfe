import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

/** The body of a refusal (RFC 6749, section 5.2). */
interface TokenError {
  error: string;
}

interface PlainServerOptions {
  /** Fields of the metadata beside the endpoints. */
  metadata?: Record<string, unknown>;
  /** The answer to a registration. @default a client without a secret */
  registration?: Record<string, unknown>;
  /** Fields of the token answer beside the token. */
  token?: Record<string, unknown>;
  /** Decides about a token request; an error refuses it with status 400. */
  refuseToken?: (form: URLSearchParams) => TokenError | null;
  /** Decides about a registration; an error refuses it with status 400. */
  refuseRegistration?: (metadata: Record<string, unknown>) => TokenError | null;
}

/** A request that a server of a test got. */
interface NotedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts an authorization server that agrees to everything, and notes the requests. */
export async function startPlainOAuthServer(options: PlainServerOptions = {}) {
  const requests: NotedRequest[] = [];
  const state = { isDown: false, tokens: 0 };
  const { url: issuer, close } = await startHttpServer((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    requests.push({ path: pathname, headers: request.headers, body });
    if (state.isDown) return void response.writeHead(503).end();
    if (pathname === '/authorize') {
      redirect(response, searchParams);
      return;
    }
    const refusal = refuse(pathname, body);
    if (refusal) {
      sendJson(response, 400, refusal);
      return;
    }
    const answer = toAnswer(pathname);
    if (answer === null) return void response.writeHead(404).end();
    sendJson(response, pathname === '/register' ? 201 : 200, answer);
  });

  function refuse(path: string, body: string): TokenError | null | undefined {
    if (path === '/token') return options.refuseToken?.(new URLSearchParams(body));
    if (path !== '/register') return null;
    return options.refuseRegistration?.(JSON.parse(body) as Record<string, unknown>);
  }

  function toAnswer(path: string): object | null {
    if (path === '/.well-known/oauth-authorization-server') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...options.metadata,
      };
    }
    if (path === '/register') return { client_id: 'registered', ...options.registration };
    if (path !== '/token' && path !== '/refresh') return null;
    state.tokens += 1;
    return {
      access_token: `token-${state.tokens}`,
      token_type: 'Bearer',
      expires_in: 3600,
      ...options.token,
    };
  }

  return {
    issuer,
    requests,
    state,
    close,
    /** Returns the forms that the token endpoint got. */
    forms: () =>
      requests.filter(({ path }) => path === '/token').map(({ body }) => new URLSearchParams(body)),
    /** Returns the bodies of the registrations. */
    registrations: () =>
      requests
        .filter(({ path }) => path === '/register')
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>),
  };
}

export type PlainOAuthServer = Awaited<ReturnType<typeof startPlainOAuthServer>>;

function redirect(response: ServerResponse, query: URLSearchParams): void {
  const location = new URL(query.get('redirect_uri') ?? '');
  location.searchParams.set('code', 'a-code');
  location.searchParams.set('state', query.get('state') ?? '');
  response.writeHead(302, { location: location.href }).end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The refusal of a request: its status, and the parameters of its challenge. */
interface Refusal {
  status: number;
  challenge?: string;
}

interface ScopedServerOptions {
  /** The issuer that its metadata names. */
  issuer: string;
  scopes?: string[];
  /** Decides about a request by its method and bearer token; null accepts it. */
  refuse: (method: string, token: string | null) => Refusal | null;
}

/** Starts an MCP endpoint that refuses some requests, and serves the metadata of its resource (RFC 9728). */
export async function startScopedServer({ issuer, scopes, refuse }: ScopedServerOptions) {
  const methods: string[] = [];
  const { url: origin, close } = await startHttpServer((request, response, body) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const metadata = { resource: `${origin}/mcp`, authorization_servers: [issuer] };
      sendJson(response, 200, { ...metadata, ...(scopes ? { scopes_supported: scopes } : {}) });
      return;
    }
    const { method = '' } = JSON.parse(body === '' ? '{}' : body) as { method?: string };
    methods.push(method);
    const [, token = null] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const refusal = refuse(method, token);
    if (refusal === null) {
      sendJson(response, 200, { answer: 'hello' });
      return;
    }
    const { status, challenge } = refusal;
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    const parts = [challenge, metadata].filter((part) => part !== undefined);
    response.writeHead(status, { 'www-authenticate': `Bearer ${parts.join(', ')}` }).end();
  });
  return { endpoint: `${origin}/mcp`, methods, close };
}
