import { HoldfastError, type ErrorCode } from '../../domain/errors.ts';
import { isConnectError } from './guarded-connector.ts';

/**
 * Error codes of DNS and TLS, which come before a request is written. Codes of sockets are not in the list: a
 * `read EHOSTUNREACH` comes from an open socket, over which the request may have arrived.
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
 * Codes with which a fetch refuses a request before it sends it: by the guard, or for a connection without valid
 * credentials. After a 401 a connection throws the same codes; that request took no effect either.
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
 * Returns whether a failed request may have been sent: false for errors of a refusal, DNS, connecting and TLS; true for
 * all others, since the server may have acted on the request.
 */
export function wasSent(error: unknown): boolean {
  return !cameBeforeSending(error);
}

/** Error codes of sockets and HTTP clients that come after a socket was opened. */
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
 * Returns whether an error of foreign code comes from a request that broke after it was sent, so that its outcome is
 * unknown. Unlike {@link wasSent} it is false for unknown errors.
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
