import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import { HoldfastError } from '../domain/errors.ts';
import type { AddressRules } from './address-rules.ts';
import { capStream } from './capped-body.ts';
import { createGuardedConnector, type ResolveHost } from './guarded-connector.ts';

/** A `fetch` that reaches allowed addresses only; `close` ends its connections. */
export interface GuardedFetch {
  /**
   * Like the standard `fetch`, but follows no redirect: the 3xx response itself is the answer.
   * @throws HoldfastError EGRESS_REFUSED for what it may not reach; RESPONSE_TOO_LARGE while a body is read
   */
  (url: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** What a guarded fetch allows, and how long it waits. */
export interface GuardedFetchOptions extends AddressRules {
  /** After this much of a body reading it fails; `Infinity` for no cap. @default 1 MiB */
  maxBodyBytes?: number;
  /** Silence before the response starts; 0 for no limit. @default 30 000 */
  headersTimeoutMs?: number;
  /** Silence within the body; 0 for no limit. @default 30 000 */
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

/** `fetch` wraps what its connector threw in "fetch failed"; a refusal is told as it is. */
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

/** Builds the one fetch to use for every URL that a tenant, a document or a server can name. */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const agent = new Agent({
    headersTimeout: options.headersTimeoutMs ?? 30_000,
    bodyTimeout: options.bodyTimeoutMs ?? 30_000,
    connect: createGuardedConnector({ ...options, connectTimeoutMs: options.connectTimeoutMs ?? 10_000 }),
  });
  const request = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const target = parseTarget(url);
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
 * The fetch for addresses that the operator wrote down, such as the MCP catalogue: loopback and private
 * networks are allowed, metadata addresses are not; body and time are bounded by who uses it.
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
