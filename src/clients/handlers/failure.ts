import { isApiError } from './api-error.ts';

/** A request that a handler refuses; the message is for the reader. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A failure as readers get it. */
export interface Failure {
  status: number;
  shown: { error: { code: string; message: string } };
  /** How long the reader has to wait before the next attempt, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Whether the failure is reported to the operator. */
  isOurs: boolean;
}

/**
 * Maps an error to what a reader may know. A refusal of the request has the status, code and message of the API. The
 * message of every other error may name addresses and agents, so another one is in its place. A refusal of the
 * application's own key is 502, since a 401 would say that the reader has to sign in.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof RequestError) return refuse(error);
  if (!isApiError(error)) return fail(500, 'INTERNAL');
  const { status, code, retryAfterMs } = error;
  if (status === undefined)
    return code === 'CONNECTION_FAILED' ? fail(503, 'SERVICE_UNAVAILABLE') : fail(500, 'INTERNAL');
  if (status === 401 || status === 403) return fail(502, 'SERVICE_UNAVAILABLE');
  if (status >= 400 && status < 500)
    return { ...refuse({ status, code, message: error.message }), retryAfterMs };
  return { ...fail(status >= 500 ? status : 502, code), retryAfterMs };
}

/** Returns the response to a request that failed, and calls `onError` for a failure that is not the reader's. */
export function toErrorResponse(error: unknown, onError: (error: unknown) => void): Response {
  const { status, shown, retryAfterMs, isOurs } = toFailure(error);
  if (isOurs) onError(error);
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return Response.json(shown, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

function refuse({ status, code, message }: Pick<RequestError, 'status' | 'code' | 'message'>): Failure {
  return { status, shown: { error: { code, message } }, isOurs: false };
}

function fail(status: number, code: string): Failure {
  const message = 'The service is not available now. Try again later.';
  return { status, shown: { error: { code, message } }, isOurs: true };
}
