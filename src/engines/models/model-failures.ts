import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  MissingToolResultsError,
  NoSuchModelError,
  StreamProviderError,
  UnsupportedFunctionalityError,
} from 'ai';
import type { Redact } from '../../domain/redact.ts';
import { HoldfastError, type ErrorCode } from '../../domain/errors.ts';
import { isJsonObject, parseJsonObject } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';
import { describeNetworkError, joinMessages } from '../../platform/egress/describe-network-error.ts';
import { parseRetryAfter } from '../../platform/egress/parse-retry-after.ts';

const maxMessageLength = 500;

interface FailureContext {
  model: string;
  redact: Redact;
  /** What may have to be changed when the vendor refuses the request; it is added to the message. */
  hint?: string | undefined;
}

/** A failure, in one form for all the ways in which the AI SDK reports one. */
interface Failure {
  code: ErrorCode;
  /** A description of the failure, as the continuation of "openai/gpt …". */
  event: string;
  message: string;
  /** The address that was called, with a reason that may hold addresses, for operators only. */
  internal?: string;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  retryable?: boolean;
  cause?: unknown;
}

/**
 * Translates an error that a model call threw into a HoldfastError whose message quotes the vendor, without keys.
 * Errors of the AI SDK are not kept as `cause`, since they hold the whole conversation.
 */
export function toModelFailure(error: unknown, { model, redact, hint }: FailureContext): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const { code, event, message, status, internal, ...options } = toFailure(error);
  const details = {
    ...(status === undefined ? {} : { status }),
    ...(internal === undefined ? {} : { internal: toShort(internal, redact) }),
  };
  const quoted = toShort(`${model} ${event}: ${message}`, redact);
  const isRefused = code === 'MODEL_REJECTED_REQUEST' && hint !== undefined;
  return new HoldfastError(code, isRefused ? `${quoted} ${hint}` : quoted, {
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(options.retryable === undefined ? {} : { retryable: options.retryable }),
    ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }),
    ...(options.cause instanceof Error ? { cause: new Error(redact(options.cause.message)) } : {}),
  });
}

/** Redacts a text before it is cut: half of a key would not be recognised. */
function toShort(text: string, redact: Redact): string {
  return toOneLine(redact(text), maxMessageLength);
}

function toFailure(error: unknown): Failure {
  const tooLarge = findTooLarge(error);
  if (tooLarge) {
    // A retry would give an answer of about the same length.
    const { message } = tooLarge;
    return { code: 'MODEL_BAD_RESPONSE', event: 'gave no complete answer', message, retryable: false };
  }
  if (APICallError.isInstance(error)) return fromApiCall(error);
  if (StreamProviderError.isInstance(error)) return fromStream(error);
  if (rejectedBeforeSending.some((kind) => kind.isInstance(error))) {
    return { code: 'MODEL_REJECTED_REQUEST', event: 'cannot take this request', message: toText(error) };
  }
  return { code: 'MODEL_BAD_RESPONSE', event: 'gave no complete answer', message: toText(error) };
}

/** Searches the causes of an error, since the AI SDK wraps errors of reading an answer. */
function findTooLarge(error: unknown): HoldfastError | null {
  if (error instanceof HoldfastError) return error.code === 'RESPONSE_TOO_LARGE' ? error : null;
  return error instanceof Error && error.cause !== undefined ? findTooLarge(error.cause) : null;
}

/** Errors that the AI SDK throws before it sends a request. */
const rejectedBeforeSending = [
  InvalidArgumentError,
  InvalidPromptError,
  MissingToolResultsError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
];

function fromApiCall(error: APICallError): Failure {
  const { statusCode: status, responseHeaders } = error;
  const called = toOrigin(error.url);
  if (status === undefined) {
    const event = 'could not be reached';
    const problem = describeNetworkError(error);
    const internal = [...called, joinMessages(error)].join(': ');
    const reason = problem === null ? { message: error.message } : { message: problem, internal };
    return { code: 'MODEL_UNAVAILABLE', event, ...reason, cause: error.cause };
  }
  if (status < 300) {
    return { code: 'MODEL_BAD_RESPONSE', event: 'gave no complete answer', message: error.message };
  }
  // Without parsed data the message is only the status text, so the body is added.
  const body = error.data === undefined ? (error.responseBody ?? '') : '';
  return {
    ...classify(status, toReasons(parseJsonObject(error.responseBody ?? '') ?? error.data)),
    event: `answered with HTTP ${status}`,
    message: `${error.message} ${body}`,
    ...(called[0] === undefined ? {} : { internal: called[0] }),
    status,
    retryAfterMs: parseRetryAfter(responseHeaders),
  };
}

/** Returns the address without its path, query and user, which may hold keys; none for a text that is no URL. */
function toOrigin(url: string): string[] {
  const parsed = URL.parse(url);
  return parsed === null ? [] : [parsed.origin];
}

function fromStream(error: StreamProviderError): Failure {
  const reasons = [error.type, error.code].filter((reason) => typeof reason === 'string');
  const status = error.statusCode ?? statusOfReason(reasons);
  const event = 'reported an error in its answer';
  if (status === undefined) return { code: 'MODEL_BAD_RESPONSE', event, message: error.message };
  return { ...classify(status, reasons), event, message: error.message, status };
}

/** Returns the reasons in the vendor's JSON: `error.code`, `error.type`, `error.status` and those of `error.details`. */
function toReasons(data: unknown): string[] {
  const error = isJsonObject(data) ? data['error'] : undefined;
  if (!isJsonObject(error)) return [];
  const details = Array.isArray(error['details']) ? error['details'].filter(isJsonObject) : [];
  const reasons = [error['code'], error['type'], error['status'], ...details.map(({ reason }) => reason)];
  return reasons.filter((reason) => typeof reason === 'string');
}

/** Returns the HTTP status that a vendor's reason stands for, since an error inside a stream has no status. */
function statusOfReason(reasons: string[]): number | undefined {
  const statuses: Record<string, number> = {
    rate_limit_exceeded: 429,
    rate_limit_error: 429,
    insufficient_quota: 429,
    overloaded_error: 529,
    server_error: 500,
    api_error: 500,
    invalid_request_error: 400,
    context_length_exceeded: 400,
    authentication_error: 401,
    permission_error: 403,
    billing_error: 402,
    model_not_found: 404,
  };
  return reasons.map((reason) => statuses[reason]).find((status) => status !== undefined);
}

function classify(status: number, reasons: string[]): Pick<Failure, 'code' | 'retryable'> {
  if (status === 429) {
    // A retry does not fill an empty account.
    return reasons.includes('insufficient_quota')
      ? { code: 'MODEL_RATE_LIMITED', retryable: false }
      : { code: 'MODEL_RATE_LIMITED' };
  }
  // An empty account too: https://docs.anthropic.com/en/api/errors (billing_error).
  if (status === 402) return { code: 'MODEL_RATE_LIMITED', retryable: false };
  if (status === 408 || status >= 500) return { code: 'MODEL_UNAVAILABLE' };
  // Google answers 400 to a key that is wrong or expired.
  if (status === 401 || status === 403 || reasons.includes('API_KEY_INVALID'))
    return { code: 'MODEL_AUTHENTICATION' };
  if (status === 404 || reasons.includes('model_not_found')) return { code: 'UNKNOWN_MODEL' };
  return { code: 'MODEL_REJECTED_REQUEST' };
}

function toText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : `unknown error ${JSON.stringify(error)}`;
}
