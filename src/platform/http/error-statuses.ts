import { createInvalidInput, HoldfastError, type ErrorCode, type ErrorInfo } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/json.ts';
import { findErrorCode, isDatabaseOutage } from '../lib/database-outage.ts';

/**
 * The HTTP status of every code. Codes that so far occur only inside a turn or a tool call have one too, so that no code
 * is without a status when it ends a request.
 */
export const errorStatuses = {
  INVALID_INPUT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 409,
  TURN_RUNNING: 409,
  TURN_MISMATCH: 409,
  QUEUE_FULL: 429,
  MESSAGE_TAKEN: 409,
  ROLLBACK_REFUSED: 409,
  TURN_SETTLED: 409,
  TURN_CANCELLED: 409,
  TURN_TIMED_OUT: 504,
  TURN_NOT_STARTED: 503,
  UNKNOWN_MODEL: 400,
  MODEL_AUTHENTICATION: 502,
  MODEL_REJECTED_REQUEST: 502,
  MODEL_INPUT_NOT_TAKEN: 502,
  MODEL_RATE_LIMITED: 503,
  MODEL_UNAVAILABLE: 503,
  MODEL_BAD_RESPONSE: 502,
  UNKNOWN_TOOL: 400,
  TOOL_TYPE_NOT_AVAILABLE: 501,
  TOOL_DISABLED: 409,
  INVALID_TOOL_ARGUMENTS: 400,
  INVALID_TOOL_CONFIG: 400,
  TOOL_FAILED: 502,
  TOOL_RUNNER_EXCEPTION: 502,
  TOOL_TIMED_OUT: 504,
  TOOL_OUTCOME_UNKNOWN: 502,
  TOOL_UNREACHABLE: 502,
  TOOL_UNAVAILABLE: 503,
  TOOL_BLOCKED: 403,
  TOOL_QUARANTINED: 409,
  TOOL_SKIPPED: 409,
  TOOL_MISCONFIGURED: 500,
  TOOL_NOT_CONFIGURED: 501,
  ANSWER_BLOCKED: 403,
  ANSWER_INVALID: 422,
  BUDGET_EXCEEDED: 402,
  PRICE_UNKNOWN: 422,
  APPROVAL_REJECTED: 403,
  APPROVAL_EXPIRED: 403,
  ANSWER_DECLINED: 403,
  ANSWER_EXPIRED: 403,
  APPROVAL_MISMATCH: 409,
  ACTION_DECIDED: 409,
  NOT_AN_APPROVER: 403,
  SELF_APPROVAL_REFUSED: 403,
  RIGHTS_LOST: 403,
  ROUTINE_FAULTED: 502,
  WORKFLOW_STUCK: 409,
  AGENT_CYCLE: 409,
  AGENT_DEPTH_EXCEEDED: 409,
  ROUTINE_DEPTH_EXCEEDED: 409,
  CONVERSATION_STATE_NOT_FOUND: 404,
  MESSAGE_LIMIT_EXCEEDED: 409,
  CONNECTION_ACCESS_DENIED: 403,
  CONNECTION_NOT_ACTIVE: 400,
  CONNECTION_PROVIDER_MISMATCH: 500,
  CONNECTION_SCOPE_MISSING: 403,
  AUTHORIZATION_FAILED: 502,
  SECRETS_UNAVAILABLE: 503,
  RATE_LIMITED: 429,
  TOO_MANY_STREAMS: 429,
  DOCUMENT_UNREADABLE: 422,
  FILE_REFUSED: 422,
  EGRESS_REFUSED: 403,
  RESPONSE_TOO_LARGE: 502,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL: 500,
} as const satisfies Record<ErrorCode, number>;

/** Maps a thrown value to the error for the client. It never reveals details of an unexpected error. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof HoldfastError) return error.toInfo();
  if (isDatabaseOutage(error)) return unavailable;
  const code = findErrorCode(error) ?? '';
  return fastifyErrors[code] ?? databaseErrors[code] ?? findByStatus(error) ?? internal;
}

const internal: ErrorInfo = {
  code: 'INTERNAL',
  message: 'The server failed. Its log has the cause under this request id. Try again.',
};

const unavailable: ErrorInfo = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The database cannot be reached now. Try again shortly.',
};

const unstorable: ErrorInfo = {
  code: 'INVALID_INPUT',
  message: 'The input has characters that cannot be stored.',
};

function invalid(field: string, message: string): ErrorInfo {
  return createInvalidInput([{ field, message }]).toInfo();
}

const fastifyErrors: Partial<Record<string, ErrorInfo>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The body is larger than the 1 MiB that is accepted.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Expected a body with "Content-Type: application/json".',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: invalid('body', 'expected valid JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalid('body', 'expected as many bytes as Content-Length says'),
  FST_ERR_BAD_URL: invalid('path', 'expected a path with valid percent-encoding'),
  FST_ERR_MAX_PARAM_LENGTH: invalid('path', 'expected parts of at most 100 characters'),
  SyntaxError: invalid('body', 'expected valid JSON'),
};

/** Codes of Postgres (https://www.postgresql.org/docs/current/errcodes-appendix.html) for what a caller sent. */
const databaseErrors: Partial<Record<string, ErrorInfo>> = { '22021': unstorable, '22P05': unstorable };

function findByStatus(error: unknown): ErrorInfo | undefined {
  if (!isJsonObject(error) && !(error instanceof Error)) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return undefined;
  return {
    code: 'INVALID_INPUT',
    message: error instanceof Error ? error.message : 'The request is not valid.',
  };
}
