import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { HoldfastError } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/json.ts';
import { createRedactor } from '../../domain/redact.ts';

/** Error codes of RFC 6749 after which a retry may succeed. */
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);
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
  const refusal = findRefusal(error);
  if (refusal === null) {
    const problem =
      error instanceof OperationProcessingError
        ? 'gave an answer that cannot be used'
        : 'could not be reached';
    return new HoldfastError('AUTHORIZATION_FAILED', `${server} ${problem}.`, { retryable: true });
  }
  const said = createRedactor(secrets.filter((secret) => secret !== undefined)).redact(refusal.text);
  return new HoldfastError('AUTHORIZATION_FAILED', `${server} refused: ${said}.`, {
    retryable: refusal.passes,
  });
}

interface Refusal {
  text: string;
  /** Whether trying again later can help. */
  passes: boolean;
}

function findRefusal(error: unknown): Refusal | null {
  if (error instanceof ResponseBodyError) {
    const { status, error: code, error_description: description } = error;
    return { text: toText(code, description), passes: isPassing(status) || passing.has(code) };
  }
  if (error instanceof AuthorizationResponseError) {
    return { text: toText(error.error, error.error_description), passes: false };
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return { text: `status ${error.status}`, passes: isPassing(error.status) };
  }
  return error instanceof OperationProcessingError ? findUnusualRefusal(error.cause) : null;
}

/** Recognizes refusals without the body of RFC 6749, and error bodies in a response with status 200. */
function findUnusualRefusal(cause: unknown): Refusal | null {
  const status = findStatus(cause);
  if (status !== undefined && status >= 400 && !isPassing(status))
    return { text: `status ${status}`, passes: false };
  const body = isJsonObject(cause) ? cause['body'] : undefined;
  if (!isJsonObject(body) || typeof body['error'] !== 'string') return null;
  const description = body['error_description'];
  return {
    text: toText(body['error'], typeof description === 'string' ? description : undefined),
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

/** Joins a code and description of a server, reduced to printable ASCII and at most 300 characters. */
export function toText(code: string, description: string | undefined): string {
  const whole = description === undefined ? code : `${code} (${description})`;
  return whole.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, longestDescription);
}
