import { HoldfastError } from '../../../domain/errors.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';

const answerWithinMs = 10_000;
const clientInfo = { name: 'holdfast', version: '1' };

/** A request of the protocol without credentials. */
interface Probe {
  headers: Record<string, string>;
  body: { method: string; params: object };
}

const initialize: Probe = {
  headers: {},
  body: {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  },
};

/** Asks for the tools as the stateless revision does. */
const listStateless: Probe = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  body: {
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
};

/** Asks for the tools in the session that a server has just opened. */
function listInSession({ headers }: Response): Probe {
  const id = headers.get('mcp-session-id');
  return {
    headers: { 'mcp-protocol-version': '2025-11-25', ...(id === null ? {} : { 'mcp-session-id': id }) },
    body: { method: 'tools/list', params: {} },
  };
}

/**
 * Returns the challenge (`WWW-Authenticate`) of an MCP server to a request without credentials; null when it sends none.
 * Many servers let anyone initialize, and ask for credentials when tools are listed.
 * @throws HoldfastError `AUTHORIZATION_FAILED`, retryable, when the server cannot be reached
 */
export async function probeForChallenge(fetch: GuardedFetch, url: URL): Promise<string | null> {
  const first = await send(fetch, url, initialize);
  const challenge = first.headers.get('www-authenticate');
  if (challenge !== null) return challenge;
  const second = await send(fetch, url, first.ok ? listInSession(first) : listStateless);
  return second.headers.get('www-authenticate');
}

async function send(fetch: GuardedFetch, url: URL, { headers, body }: Probe): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, ...body }),
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((error: unknown) => {
    if (error instanceof HoldfastError) throw error;
    throw new HoldfastError('AUTHORIZATION_FAILED', `The MCP server at ${url.origin} could not be reached.`, {
      retryable: true,
    });
  });
  // `body.cancel()` rejects when the response was aborted; that is expected.
  await response.body?.cancel().catch(() => undefined);
  return response;
}
