import type { CallOptions } from './call-options.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import { readError } from './http-answer.ts';
import {
  toRetryPolicy,
  type RetryOptions,
  type RetryPolicy,
  isTransient,
  toDelayMs,
} from './retry-policy.ts';
import { pause } from './pause.ts';

/** The address of the API, and how requests are sent. */
export interface HttpOptions {
  /** Such as `http://127.0.0.1:3400`; the client appends `/api/…`. */
  baseUrl: string;
  /** Null for a page that the API itself has served: the browser adds the cookie of its session to each request. */
  apiKey: string | null;
  /** @default the global `fetch` */
  fetch?: typeof fetch | undefined;
  /** How long one request may take, streams aside. @default 30000, and 300000 for one that sends or reads a file */
  requestTimeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Ends all requests, streams and waits of the client; they throw its reason. */
  signal?: AbortSignal | undefined;
}

/** One request. A `repeatable` one is sent again when no answer came; GET always is. */
export interface HttpRequest extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON, a `FormData` as a form, and a `Blob` as it is. */
  body?: unknown;
  repeatable?: boolean;
  /** Whether the answer is a file. */
  readsFile?: boolean;
}

const defaultTimeoutMs = 30_000;
const fileTimeoutMs = 300_000;

/** The way to the API that everything over HTTP shares. */
export interface ApiTransport {
  readonly retryPolicy: RetryPolicy;
  /** Joins the signal of a call with that of the client. */
  toSignal(signal: AbortSignal | undefined): AbortSignal | undefined;
  /**
   * Sends a request and returns what `read` finds in its answer, in time and with retries.
   * @throws HoldfastApiError when the API refuses or does not answer; the signal's reason when aborted
   */
  send<Result>(request: HttpRequest, read: (response: Response) => Promise<Result>): Promise<Result>;
  /** Returns the answer once its headers are there; tries once, without a time limit. Throws as `send` does. */
  open(request: HttpRequest): Promise<Response>;
}

/**
 * Makes the way to the API of one Holdfast.
 * @throws TypeError when the base URL is not an HTTP URL or the key is empty
 */
export function createApiTransport(options: HttpOptions): ApiTransport {
  const baseUrl = parseBaseUrl(options.baseUrl);
  if (options.apiKey === '')
    throw new TypeError('apiKey: expected the key of a workspace, found an empty text');
  const retryPolicy = toRetryPolicy(options.retry);
  const target = { baseUrl, apiKey: options.apiKey, send: options.fetch ?? fetch };
  const toSignal = (signal: AbortSignal | undefined) => anySignal(signal, options.signal);
  const open = (request: HttpRequest) => openOnce({ ...request, signal: toSignal(request.signal) }, target);
  const sendOnce: ApiTransport['send'] = async (request, read) => {
    const hasFile = request.readsFile === true || request.body instanceof FormData;
    const ownTimeoutMs = request.timeoutMs ?? options.requestTimeoutMs;
    const timeout = AbortSignal.timeout(ownTimeoutMs ?? (hasFile ? fileTimeoutMs : defaultTimeoutMs));
    const signal = anySignal(request.signal, timeout);
    try {
      return await read(await openOnce({ ...request, signal }, target));
    } catch (error) {
      throw request.signal?.aborted ? request.signal.reason : toUnreachableError(error, baseUrl);
    }
  };
  return {
    ...{ retryPolicy, toSignal, open },
    send: async (given, read) => {
      const request = { ...given, signal: toSignal(given.signal) };
      const once = () => sendOnce(request, read);
      const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET';
      return repeatable ? withRetries(once, retryPolicy, request.signal) : once();
    },
  };
}

/** Stands in where no address and key were given: every use says what is missing. */
export function createMissingTransport(): ApiTransport {
  const refuse = () =>
    Promise.reject(
      new HoldfastApiError(
        'HTTP_NOT_CONFIGURED',
        'This call goes over HTTP: give createHoldfastClient baseUrl and apiKey.',
      ),
    );
  return { retryPolicy: toRetryPolicy(), toSignal: (signal) => signal, send: refuse, open: refuse };
}

interface Target {
  baseUrl: string;
  apiKey: string | null;
  send: typeof fetch;
}

async function openOnce(request: HttpRequest, { baseUrl, apiKey, send }: Target): Promise<Response> {
  const { method = 'GET', path, query, body, signal } = request;
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof Blob);
  const headers = {
    accept: 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    // For a form or a blob, fetch names the content type.
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...request.headers,
  };
  let response: Response;
  try {
    response = await send(`${baseUrl}${path}${toQueryString(query)}`, {
      method,
      headers,
      // The key must not follow a redirect to another origin.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw toUnreachableError(error, baseUrl);
  }
  if (response.ok) return response;
  throw await readError(response);
}

function toUnreachableError(error: unknown, baseUrl: string): unknown {
  if (error instanceof HoldfastApiError) return error;
  return new HoldfastApiError('CONNECTION_FAILED', `No answer from ${baseUrl}: ${toReason(error)}`, {
    cause: error,
  });
}

// fetch says only "fetch failed"; what happened is in its cause.
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && error.cause.message !== '') return error.cause.message;
  const code = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined;
  return typeof code === 'string' ? code : error.message;
}

function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl: expected an http or https URL, found ${JSON.stringify(baseUrl)}`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function toQueryString(query: HttpRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Returns a signal that is aborted with the first of those given; undefined without any. */
function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** Runs an operation until it succeeds, fails for good, or has used all attempts of the policy. */
async function withRetries<Result>(
  operation: () => Promise<Result>,
  policy: RetryPolicy,
  signal?: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!isTransient(error) || attempt >= policy.attempts) throw error;
      await pause(toDelayMs(policy, attempt, error), signal);
    }
  }
}
