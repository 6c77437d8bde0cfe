import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import { HoldfastError } from '../../domain/errors.ts';
import { noteUse } from '../lib/meter.ts';
import type { AddressRules } from './address-rules.ts';
import { capStream } from './capped-body.ts';
import { createGuardedConnector, type ResolveHost } from './guarded-connector.ts';

/** A `fetch` that reaches allowed addresses only; `close` closes its sockets. */
export interface GuardedFetch {
  /**
   * Sends a request like the standard `fetch`, but follows no redirect: it returns the 3xx response itself.
   * @throws HoldfastError EGRESS_REFUSED for an address that is not allowed. Reading a body that is too long fails
   * with RESPONSE_TOO_LARGE.
   */
  (url: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The allowed addresses, the limits and the timeouts of a guarded fetch. */
export interface GuardedFetchOptions extends AddressRules {
  /** The maximum number of bytes of a body; `Infinity` for no limit. @default 1 MiB */
  maxBodyBytes?: number;
  /** How long to wait for the headers; 0 for no limit. @default 30 000 */
  headersTimeoutMs?: number;
  /** How long to wait for the next part of the body; 0 for no limit. @default 30 000 */
  bodyTimeoutMs?: number;
  /** @default 10 000 */
  connectTimeoutMs?: number;
  /** @default the resolver of the operating system */
  resolveHost?: ResolveHost;
}

function parseTarget(url: string | URL): URL {
  const target = URL.parse(String(url));
  if (!target) throw new HoldfastError('EGRESS_REFUSED', 'Expected an absolute http or https URL.');
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new HoldfastError(
      'EGRESS_REFUSED',
      `Only http and https URLs are allowed, not "${target.protocol}".`,
    );
  }
  if (target.username !== '' || target.password !== '') {
    throw new HoldfastError('EGRESS_REFUSED', 'A URL must not carry a user name or password.');
  }
  return target;
}

/** Finds the refusal in the causes of an error: `fetch` wraps the errors of its connector in "fetch failed". */
function findRefusal(error: unknown): HoldfastError | null {
  if (error instanceof HoldfastError) return error;
  return error instanceof Error && error.cause !== undefined ? findRefusal(error.cause) : null;
}

function withCap(response: Response, maxBodyBytes: number): Response {
  if (!response.body || !Number.isFinite(maxBodyBytes)) return response;
  const body = capStream(response.body as ReadableStream<Uint8Array>, maxBodyBytes);
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Creates the fetch that must be used for every URL that a tenant, a document or a server can name. */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const agent = new Agent({
    headersTimeout: options.headersTimeoutMs ?? 30_000,
    bodyTimeout: options.bodyTimeoutMs ?? 30_000,
    connect: createGuardedConnector({ ...options, connectTimeoutMs: options.connectTimeoutMs ?? 10_000 }),
  });
  const request = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const target = parseTarget(url);
    noteUse('connectionsOpened');
    try {
      // The standard types and undici's own describe the same objects, but are declared apart.
      const guarded = { ...init, redirect: 'manual', dispatcher: agent } as unknown as UndiciRequestInit;
      const response = (await undiciFetch(target, guarded)) as unknown as Response;
      return withCap(response, options.maxBodyBytes ?? 1024 * 1024);
    } catch (error) {
      throw findRefusal(error) ?? error;
    }
  };
  return Object.assign(request, { close: () => agent.destroy() });
}

/**
 * Creates the fetch for addresses that the operator configured, such as those of the MCP catalogue. Loopback and
 * private networks are allowed, metadata addresses are not. The caller limits body and time.
 */
export function createOperatorFetch(): GuardedFetch {
  return createGuardedFetch({
    allowLoopback: true,
    allowPrivate: true,
    maxBodyBytes: Infinity,
    headersTimeoutMs: 0,
    bodyTimeoutMs: 0,
  });
}
