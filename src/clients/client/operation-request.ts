import type { CallOptions } from './call-options.ts';
import type { HttpRequest } from './api-transport.ts';

/** How the client sends an operation and reads its answer. */
export interface Operation {
  /** @default POST with a body, otherwise GET */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Whether a body comes after the path parameters. */
  readonly body?: true;
  /** Whether a query comes after the body. */
  readonly query?: true;
  /** Set for an operation that is sent once only, though it is a GET. */
  readonly repeatable?: false;
  /** Set for an operation that takes an `Idempotency-Key`, and is therefore sent again when no answer came. */
  readonly keyed?: true;
  /** @default the value of a field; nothing without a field */
  readonly answer?: 'value' | 'page' | 'data' | 'json' | 'blob';
  /** The field of `data` that holds the value or the items. */
  readonly field?: string;
}

/**
 * Makes the request of an operation from what its function was given: path parameters, then body, query and options.
 * @throws TypeError when a path parameter is missing or empty
 */
export function toRequest(
  { path, body, method = body ? 'POST' : 'GET', query, repeatable, keyed, answer }: Operation,
  given: unknown[],
): HttpRequest {
  const rest = [...given];
  const request: HttpRequest = {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => toSegment(rest.shift(), { name, path })),
  };
  if (body) request.body = toBody(rest.shift());
  if (repeatable === false) request.repeatable = repeatable;
  if (answer === 'blob') request.readsFile = true;
  if (query) request.query = (rest.shift() ?? {}) as NonNullable<HttpRequest['query']>;
  const { signal, timeoutMs, idempotencyKey = newIdempotencyKey() } = (rest.shift() ?? {}) as CallOptions;
  if (keyed) Object.assign(request, { headers: { 'idempotency-key': idempotencyKey }, repeatable: true });
  return { ...request, signal, timeoutMs };
}

// Not crypto.randomUUID: browsers have that only on pages with TLS.
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** An empty segment or one of dots would lead to the path of another operation. */
function toSegment(value: unknown, { name, path }: { name: string; path: string }): string {
  const isGiven = typeof value === 'string' || typeof value === 'number';
  if (isGiven && !['', '.', '..'].includes(String(value))) return encodeURIComponent(value);
  throw new TypeError(`${name} of ${path}: expected an id or a name, found ${JSON.stringify(value)}`);
}

/** A body with a file is sent as a form, every other one as JSON. */
function toBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const fields = Object.entries(body as Record<string, unknown>);
  if (!fields.some(([, value]) => value instanceof Blob)) return body;
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined)
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
