import { isJsonObject, parseJsonObject } from '../domain/json.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import { toRetryPolicy, withRetries, type RetryOptions, type RetryPolicy } from './retry.ts';

/** Where the API is and how to speak to it. */
export interface HttpOptions {
  /** Such as `http://127.0.0.1:3400`; the client appends `/api/…`. */
  baseUrl: string;
  apiKey: string;
  /** @default the global `fetch` */
  fetch?: typeof fetch | undefined;
  /** How long one request may take, streams aside. @default 30000 */
  requestTimeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
}

/** One request. What is `repeatable` is sent again when the connection fails; GET always is. */
export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
  repeatable?: boolean;
  signal?: AbortSignal | undefined;
}

/** The way to the API that everything over HTTP shares. */
export interface HttpConnection {
  readonly retryPolicy: RetryPolicy;
  /**
   * The `data` of the answer.
   * @throws HoldfastApiError for every other answer and for none; the signal's reason when aborted
   */
  request(request: HttpRequest): Promise<unknown>;
  /** The answer itself, once its headers are there; tried once. Throws as `request` does. */
  open(request: HttpRequest): Promise<Response>;
}

/**
 * Connects to the API of one Holdfast.
 * @throws TypeError when the base URL is not an HTTP URL or the key is empty
 */
export function createHttpConnection(options: HttpOptions): HttpConnection {
  const baseUrl = parseBaseUrl(options.baseUrl);
  if (options.apiKey === '')
    throw new TypeError('apiKey: expected the key of a workspace, found an empty text');
  const send = options.fetch ?? fetch;
  const retryPolicy = toRetryPolicy(options.retry);
  const open = (request: HttpRequest) => openOnce(request, { baseUrl, apiKey: options.apiKey, send });
  const requestOnce = async (request: HttpRequest) => {
    const timeout = AbortSignal.timeout(options.requestTimeoutMs ?? 30_000);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await readData(await open({ ...request, signal }));
    } catch (error) {
      throw request.signal?.aborted ? request.signal.reason : toConnectionError(error, baseUrl);
    }
  };
  return {
    retryPolicy,
    open,
    request: async (request) => {
      const once = () => requestOnce(request);
      const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET';
      return repeatable ? withRetries(once, retryPolicy, request.signal) : once();
    },
  };
}

/** Stands where no address and key were given: every use says what is missing. */
export function createMissingConnection(): HttpConnection {
  const refuse = () =>
    Promise.reject(
      new HoldfastApiError(
        'HTTP_NOT_CONFIGURED',
        'This call goes over HTTP: give createHoldfastClient a baseUrl and an apiKey besides the Temporal client.',
      ),
    );
  return { retryPolicy: toRetryPolicy(), request: refuse, open: refuse };
}

interface Target {
  baseUrl: string;
  apiKey: string;
  send: typeof fetch;
}

async function openOnce(request: HttpRequest, { baseUrl, apiKey, send }: Target): Promise<Response> {
  const { method = 'GET', path, query, body, signal } = request;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  };
  let response: Response;
  try {
    response = await send(`${baseUrl}${path}${toQueryString(query)}`, {
      method,
      headers,
      // An answer from another origin is not ours, and the key must not go there.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw toConnectionError(error, baseUrl);
  }
  if (response.ok) return response;
  throw await readError(response);
}

async function readData(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const text = await response.text();
  const body = parseJsonObject(text);
  if (body?.['success'] === true) return body['data'];
  throw toUnexpectedError(response);
}

async function readError(response: Response): Promise<HoldfastApiError> {
  const body = parseJsonObject(await response.text().catch(() => ''));
  const error = body?.['error'];
  if (!isJsonObject(error) || typeof error['code'] !== 'string') return toUnexpectedError(response);
  return new HoldfastApiError(error['code'] as HoldfastApiError['code'], toText(error['message']), {
    status: response.status,
    details: error['details'],
    retryAfterMs: readRetryAfterMs(response),
  });
}

function toText(message: unknown): string {
  return typeof message === 'string' ? message : 'The API gave no message.';
}

function toUnexpectedError(response: Response): HoldfastApiError {
  return new HoldfastApiError(
    'UNEXPECTED_RESPONSE',
    `Expected an answer of the Holdfast API, found status ${response.status} with a body of another form: look whether the URL is right.`,
    { status: response.status, retryAfterMs: readRetryAfterMs(response) },
  );
}

function readRetryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function toConnectionError(error: unknown, baseUrl: string): unknown {
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
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
