import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookRule } from '../../domain/webhook-rule.ts';

/** A request that may be a delivery, with its body as it was sent. */
export interface HookRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The URL that the sender has asked for. */
  url: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** Why a request is refused; the reasons are few, since each is listed once a minute. */
export type Refusal =
  | 'it has no signature'
  | 'its signature is wrong'
  | 'its timestamp is missing or no time'
  | 'it was signed too long ago, or in the future'
  | 'its payload cannot be read'
  | 'the secret of the trigger is not set';

/** A request whose signature is right, with what was signed. */
export interface SignedRequest {
  /** SHA-256 of what was signed, in hex. */
  contentHash: string;
}

/** The maximum number of signatures of one header that are checked; senders sign by two secrets at most. */
const mostSignatures = 10;

/** Returns the value of a header; Node joins those that came twice. */
export function readHeader({ headers }: Pick<HookRequest, 'headers'>, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * Checks the signature of a request over the bytes of its body, by each of the secrets, in a time that reveals nothing
 * about them. Checks a timestamp outside the payload too.
 */
export function verifyDelivery(
  rule: WebhookRule,
  secrets: readonly string[],
  request: HookRequest,
): SignedRequest | { refusal: Refusal } {
  const { signature, timestamp, deliveryId } = rule;
  const header = readHeader(request, signature.header);
  if (header === null || header === '') return { refusal: 'it has no signature' };
  const parts = signature.separator === undefined ? [header] : header.split(signature.separator);
  const signedAt = timestamp ? findTimestamp(timestamp.at, parts, request) : undefined;
  if (signedAt === null) return { refusal: 'its timestamp is missing or no time' };
  const content = toContent(signature.content, {
    id: deliveryId && 'header' in deliveryId ? (readHeader(request, deliveryId.header) ?? '') : '',
    timestamp: signedAt ?? '',
    url: request.url,
    body: request.body,
  });
  const found = takePrefixed(parts, signature.prefix).slice(0, mostSignatures);
  if (found.length === 0) return { refusal: 'it has no signature' };
  if (!isSignedByAny(signature, { secrets, content, found })) return { refusal: 'its signature is wrong' };
  if (timestamp && signedAt !== undefined) {
    const refusal = checkTime(timestamp, signedAt, request.receivedAt);
    if (refusal) return { refusal };
  }
  return { contentHash: createHash('sha256').update(content).digest('hex') };
}

type Timestamp = NonNullable<WebhookRule['timestamp']>;

/** Returns the text of a timestamp; undefined for one in the payload, which is read later. */
function findTimestamp(at: Timestamp['at'], parts: string[], request: HookRequest) {
  if ('field' in at) return undefined;
  if ('header' in at) return readHeader(request, at.header);
  return takePrefixed(parts, at.signaturePart)[0] ?? null;
}

/** Returns the parts with a prefix, without it. */
function takePrefixed(parts: string[], prefix = ''): string[] {
  return parts
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}

interface Signed {
  id: string;
  timestamp: string;
  url: string;
  body: Buffer;
}

function toContent(template: string, { id, timestamp, url, body }: Signed): Buffer {
  const values: Record<string, string | Buffer> = {
    '{id}': id,
    '{timestamp}': timestamp,
    '{url}': url,
    '{body}': body,
  };
  const parts = template.split(/(\{(?:id|timestamp|url|body)\})/).map((part) => values[part] ?? part);
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

interface Signatures {
  secrets: readonly string[];
  content: Buffer;
  found: readonly string[];
}

/** Compares every signature with that of every secret, also after one of them was right. */
function isSignedByAny(
  { algorithm = 'sha256', encoding, key = 'text' }: WebhookRule['signature'],
  { secrets, content, found }: Signatures,
): boolean {
  let isRight = false;
  for (const secret of secrets) {
    const mac = createHmac(algorithm, key === 'base64' ? toBytes(secret) : secret).update(content);
    const expected = Buffer.from(mac.digest(encoding));
    for (const text of found) {
      const given = Buffer.from(encoding === 'hex' ? text.toLowerCase() : text);
      if (given.length === expected.length && timingSafeEqual(given, expected)) isRight = true;
    }
  }
  return isRight;
}

/** The key in a secret such as `whsec_…`, of which the prefix may be missing. */
function toBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/** Checks that a delivery was signed within the time that its rule allows. */
export function checkTime(
  { unit, toleranceSeconds }: Timestamp,
  text: string,
  receivedAt: number,
): Refusal | null {
  const signedAt = toMilliseconds(text, unit);
  if (signedAt === null) return 'its timestamp is missing or no time';
  const isNear = Math.abs(receivedAt - signedAt) <= toleranceSeconds * 1000;
  return isNear ? null : 'it was signed too long ago, or in the future';
}

function toMilliseconds(text: string, unit: Timestamp['unit']): number | null {
  if (unit === 'iso') {
    const time = Date.parse(text);
    return Number.isNaN(time) ? null : time;
  }
  if (!/^\d{1,15}$/.test(text)) return null;
  return Number(text) * (unit === 'seconds' ? 1000 : 1);
}
