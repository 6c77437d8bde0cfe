import { readCapped } from '../../platform/egress/capped-body.ts';
import { describeNetworkError } from '../../platform/egress/describe-network-error.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import { parseRetryAfter } from '../../platform/egress/parse-retry-after.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { createRedactor } from '../../domain/redact.ts';
import { deliveryTimeoutMs } from './deliveries/delivery-contract.ts';

/** A request to a receiver. */
interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Texts that are redacted in the answer. */
  secrets: string[];
  /** How long the whole answer may take, in milliseconds. @default 20 000 */
  timeoutMs?: number;
}

/** The outcome of a request: the status and the beginning of an answer, or the reason why there was none. */
export interface Posted {
  status: number | null;
  answer: string | null;
  /** Null when the answer is a success (2xx). */
  error: string | null;
  /** How long the receiver asks to wait, in milliseconds. */
  retryAfterMs: number | null;
}

/** How much of an answer is kept. */
const keptBytes = 1024;

/** Posts a JSON body and waits for the status of the answer. A redirect is an answer that is no success. */
export async function postMessage(
  fetch: GuardedFetch,
  { url, headers, body, secrets, timeoutMs = deliveryTimeoutMs }: Post,
): Promise<Posted> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Holdfast-Webhooks', ...headers },
      body,
      signal,
    });
    const { status } = response;
    const answer = await readAnswer(response, secrets);
    const retryAfterMs = parseRetryAfter(Object.fromEntries(response.headers)) ?? null;
    return { status, answer, retryAfterMs, error: toProblem(status) };
  } catch (error) {
    return {
      status: null,
      answer: null,
      retryAfterMs: null,
      error: signal.aborted ? toTimeout(timeoutMs) : toReason(error),
    };
  }
}

/** An answer whose body breaks off or does not end has its status all the same. */
async function readAnswer(response: Response, secrets: string[]): Promise<string | null> {
  try {
    const { bytes, truncated } = await readCapped(response, keptBytes);
    const text = new TextDecoder().decode(bytes);
    return createRedactor(secrets).redact(text, { isCut: truncated });
  } catch {
    return null;
  }
}

function toProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return `It answered ${status}.`;
}

function toTimeout(timeoutMs: number): string {
  return `It did not answer within ${timeoutMs / 1000} seconds.`;
}

function toReason(error: unknown): string {
  if (error instanceof HoldfastError) return error.message;
  return `It could not be reached: ${describeNetworkError(error) ?? 'the request failed'}.`;
}
