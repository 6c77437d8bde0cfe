import { HoldfastError } from '../domain/errors.ts';
import { redactJson, type Redact } from '../domain/redact.ts';
import type { ToolResult } from '../domain/tool.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';

/** Redacts all texts of a result: a server may repeat the secrets that it was sent. */
export function redactResult(result: ToolResult, redact: Redact): ToolResult {
  if (result.status === 'failed') {
    const { code, message, details } = result.error;
    const kept = details === undefined ? {} : { details: redactJson(details, redact) };
    return { status: 'failed', error: { code, message: redact(message), ...kept } };
  }
  const { content } = result;
  const kept = content === undefined ? {} : { content: redactJson(content, redact) };
  return { ...result, text: redact(result.text), ...kept };
}

function redactCause(cause: unknown, redact: Redact): { cause?: Error } {
  return cause instanceof Error ? { cause: new Error(redact(cause.message)) } : {};
}

/** Redacts message, cause and details of a HoldfastError; returns any other error, which is the caller's own, unchanged. */
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
