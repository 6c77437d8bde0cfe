import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { HoldfastError, type ErrorCode } from '../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Redact } from '../../domain/redact.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import { describeNetworkError, joinMessages } from '../../platform/egress/describe-network-error.ts';
import { readErrorBody } from '../../platform/egress/read-error-body.ts';
import { wasSent } from '../../platform/egress/was-sent.ts';

/** The timeout of a call that sets none, in milliseconds; shorter than an activity's default of 30 s. */
export const defaultCallTimeoutMs = 25_000;

const maxMessageCharacters = 500;
const maxDetailCharacters = 4_000;

interface FailedRequest {
  server: string;
  error: unknown;
  /** Redacts the credentials of the server. */
  redact: Redact;
}

function failed(code: ErrorCode, message: string, details?: JsonValue): ToolResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}

/** Returns the message of an error, which may quote the server. It is redacted before it is cut. */
function messageOf(error: unknown, redact: Redact): string {
  return redact(error instanceof Error ? error.message : String(error)).slice(0, maxMessageCharacters);
}

/** Returns why a request failed: for a model or a person without addresses, and for operators in `details`. */
function reasonOf(error: unknown, redact: Redact): { reason: string; details?: JsonObject } {
  const problem = describeNetworkError(error);
  if (problem === null) return { reason: messageOf(error, redact) };
  const internal = redact(joinMessages(error)).slice(0, maxMessageCharacters);
  return { reason: problem, details: { internal } };
}

function findHoldfastError(error: unknown): HoldfastError | null {
  if (error instanceof HoldfastError) return error;
  return error instanceof Error && error.cause !== undefined ? findHoldfastError(error.cause) : null;
}

function findHttpStatus(error: unknown): number | null {
  if (error instanceof InsufficientScopeError) return 403;
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof Error && error.cause !== undefined ? findHttpStatus(error.cause) : null;
}

/** Returns the body of the answer with an error status that an error was made of. */
function findBody(error: unknown): string {
  if (error instanceof InsufficientScopeError) return error.errorDescription ?? '';
  if (error instanceof SdkHttpError) return typeof error.data.text === 'string' ? error.data.text : '';
  return error instanceof Error && error.cause !== undefined ? findBody(error.cause) : '';
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Returns true for a status with which a server refuses a request for good. A redirect is not followed. */
function isRefusal(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408 && status !== 429;
}

/** An answer that does not say what the call did. Another attempt would get no better one. */
function toUnreadable(message: string, cause: unknown): ToolInterruptedError {
  return new ToolInterruptedError('TOOL_FAILED', message, { sent: true, cause });
}

/** Returns the meaning of a status, for a server that gives no reason itself. */
function hintOf(status: number): string {
  if (status < 400) return '. It points to another address, which is not followed.';
  if (status === 401) return '. It asks for credentials, or does not accept those of the connection.';
  return status === 403 ? '. It denies access.' : '.';
}

function describeStatus({ server, error, redact }: FailedRequest, status: number): string {
  const said = status < 400 ? '' : redact(readErrorBody(findBody(error))).slice(0, maxMessageCharacters);
  return `The MCP server "${server}" answered with HTTP ${status}${said === '' ? hintOf(status) : `: ${said}`}`;
}

function refusedByStatus(request: FailedRequest, status: number): ToolResult {
  return failed('TOOL_FAILED', describeStatus(request, status), { status });
}

/**
 * Translates an error of connecting to a server: nothing of the call was sent.
 * @throws ToolInterruptedError unless the server refused the connection by an HTTP status
 */
export function toConnectFailure(server: string, error: unknown, redact: Redact): ToolResult {
  const status = findHttpStatus(error);
  if (status !== null && isRefusal(status)) return refusedByStatus({ server, error, redact }, status);
  const refusal = findHoldfastError(error);
  if (refusal instanceof ToolInterruptedError) throw refusal;
  const code = refusal?.code === 'EGRESS_REFUSED' ? refusal.code : 'TOOL_UNREACHABLE';
  const { reason, ...options } = reasonOf(refusal ?? error, redact);
  const message = `The MCP server "${server}" cannot be reached: ${reason}`;
  throw new ToolInterruptedError(code, message, { ...options, sent: false, cause: error });
}

interface SlowConnect {
  label: string;
  timeoutMs: number;
  /** The end of the standard error of the server at an earlier start. */
  startError: string | undefined;
  cause: unknown;
}

/** The error of a call whose time was over before its server was connected to. */
export function toConnectTimeout({ label, timeoutMs, startError, cause }: SlowConnect) {
  const said = startError === undefined ? '' : ` At an earlier start it said: ${startError}`;
  const message = `The MCP server "${label}" could not be connected to within ${timeoutMs} ms.${said}`;
  return new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: false, cause });
}

/** Translates a JSON-RPC error of the server: the call is over, and its outcome is known. */
function toAnsweredError(error: ProtocolError, redact: Redact): ToolResult {
  const data = JSON.stringify(error.data ?? null);
  const kept =
    error.data === undefined || data.length > maxDetailCharacters
      ? {}
      : { data: JSON.parse(data) as JsonValue };
  return failed('TOOL_FAILED', messageOf(error, redact), { jsonRpcCode: error.code, ...kept });
}

function toHttpFailure(request: FailedRequest, status: number): ToolResult {
  const message = describeStatus(request, status);
  const { error } = request;
  // A redirect may come after the call took effect, as 303 "See Other" does (RFC 9110, section 15.4.4).
  if (status < 400) throw toUnreadable(message, error);
  if (isRefusal(status)) return refusedByStatus(request, status);
  // 429 refuses a request before it runs; 408 and 5xx do not say how far it got.
  throw new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: status !== 429, cause: error });
}

/** Throws the error of a call whose transport broke before the server answered. */
function throwInterruption({ server, redact }: FailedCall, error: unknown): never {
  const overflow = error instanceof Error && error.message.includes('exceeded maximum size');
  const sent = wasSent(error);
  const code = overflow ? 'RESPONSE_TOO_LARGE' : sent ? 'TOOL_UNAVAILABLE' : 'TOOL_UNREACHABLE';
  const event = sent
    ? 'The connection to the MCP server was lost during the call'
    : 'The MCP server cannot be reached';
  const { reason, ...options } = reasonOf(error, redact);
  throw new ToolInterruptedError(code, `${event} ("${server}"): ${reason}`, {
    ...options,
    sent,
    cause: error,
  });
}

/** The error of a request that the open circuit of its server holds back; `untilMs` is in epoch milliseconds. */
export function toOpenCircuit(server: string, untilMs: number): ToolInterruptedError {
  const retryAt = new Date(untilMs).toISOString();
  const retryAfterMs = Math.max(1, untilMs - Date.now());
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `The MCP server "${server}" failed several times in a row. It will be tried again in ${seconds} s, at ${retryAt}.`;
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, {
    sent: false,
    retryAfterMs,
    details: { retryAt },
  });
}

/** The error of a call whose new session the server has forgotten too. The requests may have been read all the same. */
export function toForgetfulServer(server: string): ToolInterruptedError {
  const message = `The MCP server "${server}" does not keep its sessions.`;
  return new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: true, retryable: false });
}

interface FailedCall extends FailedRequest {
  timeoutMs: number;
  /** The error that ended the session, if it has ended. */
  brokenBy: Error | null;
}

/**
 * Translates the error of a call that was sent: a result when the server answered.
 * @throws ToolInterruptedError when it did not; `sent` says whether the call may have taken effect
 */
export function toCallFailure(call: FailedCall): ToolResult {
  const { server, timeoutMs, error, brokenBy, redact } = call;
  if (error instanceof ToolInterruptedError) throw error;
  if (error instanceof HoldfastError && error.code === 'RESPONSE_TOO_LARGE')
    return failed(error.code, error.message, error.details);
  if (error instanceof ProtocolError) return toAnsweredError(error, redact);
  const status = findHttpStatus(error);
  if (status !== null) return toHttpFailure(call, status);
  if (isTimeout(error)) {
    const message = `The MCP server "${server}" did not answer within ${timeoutMs} ms.`;
    throw new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: true, cause: error });
  }
  const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
  if (isClosed || !(error instanceof SdkError))
    return throwInterruption(call, isClosed ? (brokenBy ?? error) : error);
  const message = `The MCP server "${server}" answered with something that is not a tool result: ${messageOf(error, redact)}`;
  throw toUnreadable(message, error);
}

/**
 * Returns whether a server refused a request unread because it no longer knows the session or the agreed revision of
 * the protocol, for example after a restart. The protocol then asks for a new session. A server that issued no session
 * id (`hasId`) has no session to forget.
 */
export function isForgottenSession(error: unknown, { hasId }: { hasId: boolean }): boolean {
  if (error instanceof ProtocolError) return error.code === -32_022;
  if (!hasId || !(error instanceof SdkHttpError)) return false;
  return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
}
