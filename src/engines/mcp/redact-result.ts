import { HoldfastError } from '../../domain/errors.ts';
import { redactJson, type Redact } from '../../domain/redact.ts';
import type { ToolOutcome } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';

/** Redacts the credentials of a caller and those that the session was opened with, which may be older. */
export function bothRedact(endpoint: { redact: Redact }, session: { redact: Redact }): Redact {
  return (text, options) => endpoint.redact(session.redact(text, options), options);
}

/** Redacts all texts of a result: a server may repeat the secrets that it was sent. Questions are redacted when they are read. */
export function redactResult(result: ToolOutcome, redact: Redact): ToolOutcome {
  if (result.status === 'waits') return result;
  if (result.status === 'failed') {
    const { code, message, details } = result.error;
    const kept = details === undefined ? {} : { details: redactJson(details, redact) };
    return { status: 'failed', error: { code, message: redact(message), ...kept } };
  }
  const { content } = result;
  const kept = content === undefined ? {} : { content: redactJson(content, redact) };
  return { ...result, text: redact(result.text), ...kept };
}

const maxCauses = 5;
const maxCauseCharacters = 2_000;

function redactCause(cause: unknown, redact: Redact, depth = 0): { cause?: Error } {
  if (!(cause instanceof Error) || depth === maxCauses) return {};
  const message = redact(cause.message).slice(0, maxCauseCharacters);
  return { cause: new Error(message, redactCause(cause.cause, redact, depth + 1)) };
}

/** Redacts message, causes and details of a HoldfastError; returns any other error, which is the caller's own, unchanged. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof HoldfastError)) return error;
  const { code, retryable, retryAfterMs, details, cause } = error;
  const message = redact(error.message);
  const options = {
    ...redactCause(cause, redact),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(details === undefined ? {} : { details: redactJson(details, redact) }),
    retryable,
  };
  return error instanceof ToolInterruptedError
    ? new ToolInterruptedError(code, message, { ...options, sent: error.sent })
    : new HoldfastError(code, message, options);
}
