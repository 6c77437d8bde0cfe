import { BodyTooLargeError, concatBytes, readBody } from './read-body.ts';
import type { WebhookMessage } from './webhook-message.ts';

/** The reasons for which a message is refused, each with the status to answer. */
const statuses = {
  HEADERS_MISSING: 401,
  TIMESTAMP_OUT_OF_RANGE: 401,
  SIGNATURE_INVALID: 401,
  MESSAGE_INVALID: 400,
  BODY_TOO_LARGE: 413,
  BODY_NOT_RAW: 500,
} as const;

export type WebhookErrorCode = keyof typeof statuses;

/** A message of a webhook that is refused. Express and fastify answer its `statusCode`. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  readonly statusCode: number;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
    this.statusCode = statuses[code];
  }
}

/** A request of Node whose body is the bytes that came, in `rawBody` or else in `body`. */
export interface RawWebhookRequest {
  headers: Partial<Record<string, string | string[]>>;
  rawBody?: unknown;
  body?: unknown;
}

interface WebhookOptions {
  /** The secret of the webhook, `whsec_…`, or several while it is rotated. */
  secret: string | readonly string[];
}

/** How far the timestamp may be from the clock of the receiver. */
const toleranceMs = 5 * 60 * 1000;

/**
 * Verifies a message by Standard Webhooks 1.0, and returns it. A message may come again: take each `id` once.
 * @throws WebhookError `HEADERS_MISSING`, `SIGNATURE_INVALID`, `TIMESTAMP_OUT_OF_RANGE` when it was sent more than 5
 * minutes ago, `BODY_NOT_RAW` when the body was parsed or read before, `BODY_TOO_LARGE` above 1 MiB, `MESSAGE_INVALID`
 * @throws TypeError when no secret is given, or one is not `whsec_` and base64
 */
export async function verifyWebhook(
  request: Request | RawWebhookRequest,
  { secret }: WebhookOptions,
): Promise<WebhookMessage> {
  const keys = toKeys(secret);
  const header = (name: string) => readHeader(request, name);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
  if (!id || !timestamp || !signatures)
    throw new WebhookError(
      'HEADERS_MISSING',
      'Expected webhook-id, webhook-timestamp and webhook-signature.',
    );
  refuseOtherTime(timestamp);
  const body = await readRawBody(request);
  const signed = concatBytes([new TextEncoder().encode(`${id}.${timestamp}.`), body]);
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookError('SIGNATURE_INVALID', 'Expected a signature by the secret of the webhook.');
  return toMessage(id, new TextDecoder().decode(body));
}

function toKeys(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const keys = [secret].flat().map((text) => (text.startsWith('whsec_') ? fromBase64(text.slice(6)) : null));
  const given = keys.filter((key) => key !== null && key.length > 0) as Uint8Array<ArrayBuffer>[];
  if (given.length > 0 && given.length === keys.length) return given;
  throw new TypeError('secret: expected the secret of the webhook, whsec_ and base64');
}

// Checks fields and not the class, since frameworks have their own request classes.
function isFetchRequest(request: Request | RawWebhookRequest): request is Request {
  return 'bodyUsed' in request;
}

function readHeader(request: Request | RawWebhookRequest, name: string): string | undefined {
  const value = isFetchRequest(request) ? request.headers.get(name) : request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function refuseOtherTime(timestamp: string): void {
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (Math.abs(Date.now() - sentAt) <= toleranceMs) return;
  throw new WebhookError(
    'TIMESTAMP_OUT_OF_RANGE',
    `Expected a message sent in the last 5 minutes, found the timestamp ${JSON.stringify(timestamp)}.`,
  );
}

async function readRawBody(request: Request | RawWebhookRequest): Promise<Uint8Array> {
  if (isFetchRequest(request)) return readRequest(request);
  const body = request.rawBody ?? request.body;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new WebhookError(
    'BODY_NOT_RAW',
    'Expected the bytes of the body in rawBody or body, found none or a parsed one.',
  );
}

async function readRequest(request: Request): Promise<Uint8Array> {
  if (request.bodyUsed) throw new WebhookError('BODY_NOT_RAW', 'The body was read before. Verify it first.');
  try {
    return await readBody(request);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new WebhookError('BODY_TOO_LARGE', 'Expected at most 1 MiB.');
  }
}

/** `subtle.verify` compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  header: string,
  keys: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const signatures = header.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      const expected = fromBase64(signature);
      if (expected && (await crypto.subtle.verify('HMAC', key, expected, signed))) return true;
    }
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function toMessage(id: string, text: string): WebhookMessage {
  try {
    const { type, timestamp, data } = JSON.parse(text) as Record<string, unknown>;
    if (
      typeof type === 'string' &&
      typeof timestamp === 'string' &&
      typeof data === 'object' &&
      data !== null
    )
      return { id, type, timestamp, data } as WebhookMessage;
  } catch {
    // A text that is no JSON is refused as other values are.
  }
  throw new WebhookError('MESSAGE_INVALID', 'Expected a message with type, timestamp and data.');
}
