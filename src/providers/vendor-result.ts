import type { Redact } from '../domain/redact.ts';
import type { FailedResult, ToolResult } from '../domain/tool.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import type { Operation, Provider } from './define-provider.ts';
import type { ReadAnswer } from './send-request.ts';

/**
 * Returns a failed result with the vendor's error message; null when the answer is a success.
 * @throws ToolInterruptedError for a redirect, which is not followed and may come after the request took effect
 */
export function toVendorFailure(
  { title, readError }: Pick<Provider, 'title' | 'readError'>,
  { status, body, headers }: ReadAnswer,
  redact: Redact,
): FailedResult | null {
  const isSuccess = status >= 200 && status < 300;
  const reason = readError({ status, body });
  if (isSuccess && reason === null) return null;
  const details = { status };
  if (status >= 300 && status < 400) {
    const place = headers.get('location') ?? 'nowhere';
    const message = `${title}: It answered with HTTP ${status} and points to ${place}; redirects are not followed.`;
    throw new ToolInterruptedError('TOOL_FAILED', redact(message), { sent: true, details });
  }
  const message = `${title}: ${reason ?? `It answered with HTTP ${status}.`}`;
  return { status: 'failed', error: { code: 'TOOL_FAILED', message: redact(message), details } };
}

/** Returns a successful result with the vendor's JSON. */
export function toSuccess(operation: Operation, answer: ReadAnswer, redact: Redact): ToolResult {
  const { status, headers, text, body, truncated } = answer;
  if (text === '') return { status: 'succeeded', text: JSON.stringify({ status }) };
  const kept = operation.mapAnswer && !truncated ? JSON.stringify(operation.mapAnswer(body)) : text;
  const unreadBytes = Number(headers.get('content-length') ?? 0) - Buffer.byteLength(text);
  return {
    status: 'succeeded',
    text: truncated
      ? `${redact(kept, { isCut: true })}\n[the answer is longer; the rest was not read]`
      : redact(kept),
    ...(truncated && unreadBytes > 0 ? { truncatedBytes: unreadBytes } : {}),
  };
}
