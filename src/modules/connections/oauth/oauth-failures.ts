import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { createRedactor, type Redact } from '../../../domain/redact.ts';

/** Error codes of RFC 6749 after which a retry may succeed. */
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);
/** Error codes with which servers refuse the authentication of a client. */
const clientRefusals = new Set(['invalid_client', 'unauthorized_client', 'invalid_request']);
const longestDescription = 300;

interface FailedRequest {
  /** The address that was asked. */
  url: string;
  /** Secrets to redact in the server's text. */
  secrets: (string | undefined)[];
}

/**
 * Maps a failed request to an authorization server to `AUTHORIZATION_FAILED`, which is retryable unless the server
 * itself refused.
 */
export function toOAuthFailure(error: unknown, { url, secrets }: FailedRequest): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const server = `The authorization server at ${new URL(url).origin}`;
  const { redact } = createRedactor(secrets.filter((secret) => secret !== undefined));
  const refusal = findRefusal(error, redact);
  if (refusal === null) {
    const problem =
      error instanceof OperationProcessingError
        ? 'gave an answer that cannot be used'
        : 'could not be reached';
    return new HoldfastError('AUTHORIZATION_FAILED', `${server} ${problem}.`, { retryable: true });
  }
  return new HoldfastError('AUTHORIZATION_FAILED', `${server} refused: ${refusal.text}.`, {
    retryable: refusal.passes,
  });
}

/** Returns true for errors that mean that a server did not accept how the client authenticated. */
export function isClientRefusal(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status === 401 || clientRefusals.has(error.error);
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof OperationProcessingError && findStatus(error.cause) === 401;
}

interface Refusal {
  text: string;
  /** Whether trying again later can help. */
  passes: boolean;
}

function findRefusal(error: unknown, redact: Redact): Refusal | null {
  if (error instanceof ResponseBodyError) {
    const { status, error: code, error_description: description } = error;
    return { text: toText(code, description, redact), passes: isPassing(status) || passing.has(code) };
  }
  if (error instanceof AuthorizationResponseError) {
    return { text: toText(error.error, error.error_description, redact), passes: false };
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return { text: `status ${error.status}`, passes: isPassing(error.status) };
  }
  return error instanceof OperationProcessingError ? findUnusualRefusal(error.cause, redact) : null;
}

/** Recognizes refusals without the body of RFC 6749, and error bodies in a response with status 200. */
function findUnusualRefusal(cause: unknown, redact: Redact): Refusal | null {
  const status = findStatus(cause);
  if (status !== undefined && status >= 400 && !isPassing(status))
    return { text: `status ${status}`, passes: false };
  const body = isJsonObject(cause) ? cause['body'] : undefined;
  if (!isJsonObject(body) || typeof body['error'] !== 'string') return null;
  const description = body['error_description'];
  return {
    text: toText(body['error'], typeof description === 'string' ? description : undefined, redact),
    passes: false,
  };
}

/** Reads the status without `instanceof`: responses of undici are of another class than those of Node. */
function findStatus(cause: unknown): number | undefined {
  if (typeof cause !== 'object' || cause === null || !('status' in cause)) return undefined;
  return typeof cause.status === 'number' ? cause.status : undefined;
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/**
 * Joins a code and description of a server, redacted first, and then reduced to printable ASCII and at most 300
 * characters: of a secret that was cut, a part would be left.
 */
export function toText(code: string, description: string | undefined, redact: Redact): string {
  const whole = description === undefined ? code : `${code} (${description})`;
  return redact(whole)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .slice(0, longestDescription);
}
