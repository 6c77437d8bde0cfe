import type { Redact } from '../../domain/redact.ts';
import type { FailedResult, ToolResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import type { Operation } from './define-operation.ts';
import { keepPaths, readPath } from './read-answer.ts';
import { isError, readMessage, type ErrorReader } from './read-error.ts';
import type { ReadAnswer } from './send-request.ts';

/**
 * Returns a failed result with the vendor's error message; null when the answer is a success.
 * @throws ToolInterruptedError for a redirect, which is not followed and may come after the request took effect
 */
export function toVendorFailure(
  provider: ErrorReader,
  answer: ReadAnswer,
  { redact, isGraphql = false }: { redact: Redact; isGraphql?: boolean },
): FailedResult | null {
  const { title } = provider;
  const { status, headers } = answer;
  const isRedirect = status >= 300 && status < 400;
  if (!isRedirect && !isError(provider, answer, { isGraphql })) return null;
  const details = { status };
  if (isRedirect) {
    const place = headers.get('location') ?? 'nowhere';
    const message = `${title}: It answered with HTTP ${status} and points to ${place}; redirects are not followed.`;
    throw new ToolInterruptedError('TOOL_FAILED', redact(message), { sent: true, details });
  }
  const message = `${title}: ${readMessage(provider, answer) ?? `It answered with HTTP ${status}.`}`;
  return { status: 'failed', error: { code: 'TOOL_FAILED', message: redact(message), details } };
}

/** Returns a successful result with the vendor's JSON, trimmed to the part and the fields that the operation names. */
export function toSuccess(
  { mapAnswer, result, keep }: Pick<Operation, 'mapAnswer' | 'result' | 'keep'>,
  answer: ReadAnswer,
  redact: Redact,
): ToolResult {
  const { status, headers, text, body, truncated } = answer;
  if (text === '') return { status: 'succeeded', text: JSON.stringify({ status }) };
  const unreadBytes = Number(headers.get('content-length') ?? 0) - Buffer.byteLength(text);
  if (truncated)
    return {
      status: 'succeeded',
      text: `${redact(text, { isCut: true })}\n[the answer is longer; the rest was not read]`,
      ...(unreadBytes > 0 ? { truncatedBytes: unreadBytes } : {}),
    };
  const isPlain = mapAnswer === undefined && result === undefined && keep === undefined;
  if (isPlain) return { status: 'succeeded', text: redact(text) };
  const part = readPath(body, result ?? '') ?? body;
  const kept = keepPaths(mapAnswer ? mapAnswer(part) : part, keep);
  return { status: 'succeeded', text: redact(JSON.stringify(kept)) };
}
