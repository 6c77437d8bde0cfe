import { HoldfastError, type ErrorCode } from '../domain/errors.ts';
import { isConnectError } from './guarded-connector.ts';

/**
 * What DNS and TLS say before a request is written. Codes of sockets are not among them: `read EHOSTUNREACH`
 * comes on a connection that stood, whose request may have arrived.
 */
const codesBeforeSending = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * What a fetch refuses before it sends: the guard, and a connection without good credentials. Also those of a
 * connection that come after a 401 count, since what was answered so took no effect.
 */
const refusals = new Set<ErrorCode>([
  'EGRESS_REFUSED',
  'CONNECTION_ACCESS_DENIED',
  'CONNECTION_NOT_ACTIVE',
  'AUTHORIZATION_FAILED',
  'SECRETS_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
]);

function cameBeforeSending(error: unknown): boolean {
  if (isConnectError(error)) return true;
  if (error instanceof HoldfastError) return refusals.has(error.code);
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(cameBeforeSending);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && codesBeforeSending.has(code)) return true;
  if (syscall === 'connect') return true;
  return error.cause !== undefined && cameBeforeSending(error.cause);
}

/**
 * Tells whether anything of a request can have been sent before it failed: false only for a refusal, DNS,
 * connecting and TLS; true for everything else, since the other side may then have acted on it.
 */
export function wasSent(error: unknown): boolean {
  return !cameBeforeSending(error);
}

/** What sockets and clients say of a connection that stood. */
const codesAfterSending = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/**
 * Tells whether an error of foreign code is that of a request which broke after it was sent, so that nobody knows what
 * came of it. Unlike {@link wasSent} it says so only of what it knows.
 */
export function isBrokenOff(error: unknown): boolean {
  return wasSent(error) && comesFromRequest(error);
}

function comesFromRequest(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError') return true;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && codesAfterSending.has(code)) || comesFromRequest(error.cause);
}
