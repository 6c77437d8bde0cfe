import type { JsonValue } from './json.ts';

/**
 * Every error code of Holdfast, and whether a retry of the same request can succeed.
 * HTTP statuses are in `src/platform/http/error-statuses.ts`, explanations in `docs/errors.md`.
 */
export const errorCodes = {
  INVALID_INPUT: { retryable: false },
  UNAUTHORIZED: { retryable: false },
  FORBIDDEN: { retryable: false },
  NOT_FOUND: { retryable: false },
  METHOD_NOT_ALLOWED: { retryable: false },
  CONFLICT: { retryable: false },
  PAYLOAD_TOO_LARGE: { retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { retryable: false },
  IDEMPOTENCY_KEY_REUSED: { retryable: false },
  TURN_RUNNING: { retryable: false },
  TURN_MISMATCH: { retryable: false },
  QUEUE_FULL: { retryable: true },
  MESSAGE_TAKEN: { retryable: false },
  ROLLBACK_REFUSED: { retryable: false },
  TURN_SETTLED: { retryable: false },
  TURN_CANCELLED: { retryable: false },
  TURN_TIMED_OUT: { retryable: false },
  TURN_NOT_STARTED: { retryable: true },
  UNKNOWN_MODEL: { retryable: false },
  MODEL_AUTHENTICATION: { retryable: false },
  MODEL_REJECTED_REQUEST: { retryable: false },
  MODEL_INPUT_NOT_TAKEN: { retryable: false },
  MODEL_RATE_LIMITED: { retryable: true },
  MODEL_UNAVAILABLE: { retryable: true },
  MODEL_BAD_RESPONSE: { retryable: true },
  UNKNOWN_TOOL: { retryable: false },
  TOOL_TYPE_NOT_AVAILABLE: { retryable: false },
  TOOL_DISABLED: { retryable: false },
  INVALID_TOOL_ARGUMENTS: { retryable: false },
  INVALID_TOOL_CONFIG: { retryable: false },
  TOOL_FAILED: { retryable: false },
  TOOL_RUNNER_EXCEPTION: { retryable: false },
  TOOL_TIMED_OUT: { retryable: false },
  TOOL_OUTCOME_UNKNOWN: { retryable: false },
  TOOL_UNREACHABLE: { retryable: true },
  TOOL_UNAVAILABLE: { retryable: true },
  TOOL_BLOCKED: { retryable: false },
  TOOL_QUARANTINED: { retryable: false },
  TOOL_SKIPPED: { retryable: false },
  TOOL_MISCONFIGURED: { retryable: false },
  TOOL_NOT_CONFIGURED: { retryable: false },
  ANSWER_BLOCKED: { retryable: false },
  ANSWER_INVALID: { retryable: false },
  BUDGET_EXCEEDED: { retryable: false },
  PRICE_UNKNOWN: { retryable: false },
  APPROVAL_REJECTED: { retryable: false },
  APPROVAL_EXPIRED: { retryable: false },
  APPROVAL_MISMATCH: { retryable: false },
  ANSWER_DECLINED: { retryable: false },
  ANSWER_EXPIRED: { retryable: false },
  ACTION_DECIDED: { retryable: false },
  NOT_AN_APPROVER: { retryable: false },
  SELF_APPROVAL_REFUSED: { retryable: false },
  RIGHTS_LOST: { retryable: false },
  ROUTINE_FAULTED: { retryable: false },
  WORKFLOW_STUCK: { retryable: false },
  AGENT_CYCLE: { retryable: false },
  AGENT_DEPTH_EXCEEDED: { retryable: false },
  ROUTINE_DEPTH_EXCEEDED: { retryable: false },
  CONVERSATION_STATE_NOT_FOUND: { retryable: false },
  MESSAGE_LIMIT_EXCEEDED: { retryable: false },
  CONNECTION_ACCESS_DENIED: { retryable: false },
  CONNECTION_NOT_ACTIVE: { retryable: false },
  CONNECTION_PROVIDER_MISMATCH: { retryable: false },
  CONNECTION_SCOPE_MISSING: { retryable: false },
  AUTHORIZATION_FAILED: { retryable: false },
  SECRETS_UNAVAILABLE: { retryable: false },
  RATE_LIMITED: { retryable: true },
  TOO_MANY_STREAMS: { retryable: true },
  DOCUMENT_UNREADABLE: { retryable: false },
  FILE_REFUSED: { retryable: false },
  EGRESS_REFUSED: { retryable: false },
  RESPONSE_TOO_LARGE: { retryable: false },
  SERVICE_UNAVAILABLE: { retryable: true },
  INTERNAL: { retryable: true },
} as const;

/** One of the codes of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** A failure in the form that clients and models receive. */
export interface ErrorInfo {
  code: ErrorCode;
  message: string;
  /** Facts for programs and operators. The field `internal` holds addresses, and is not given to models. */
  details?: JsonValue;
}

/** An invalid field of an input: its path, and a message with the expected and the found value. */
export interface FieldError {
  [key: string]: JsonValue;
  field: string;
  message: string;
}

interface HoldfastErrorOptions {
  cause?: unknown;
  details?: JsonValue;
  /** @default the value of {@link errorCodes} for the code */
  retryable?: boolean;
  /** How long to wait before a retry, in milliseconds. */
  retryAfterMs?: number;
}

/** The error class of Holdfast; `code` identifies the failure. */
export class HoldfastError extends Error {
  override readonly name = 'HoldfastError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: JsonValue | undefined;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? errorCodes[code].retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
  }

  /** Returns the part of this error that may be shown: code, message and details, never the cause. */
  toInfo(): ErrorInfo {
    return {
      code: this.code,
      message: this.message,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** Creates the error INVALID_INPUT for one or more invalid fields. */
export function createInvalidInput(details: FieldError[]): HoldfastError {
  const [first] = details;
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = first ? `${first.field}: ${first.message}${rest}` : 'The input is not valid.';
  return new HoldfastError('INVALID_INPUT', message, { details });
}
