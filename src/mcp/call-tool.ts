import type { CallToolResult } from '@modelcontextprotocol/client';
import { HoldfastError } from '../domain/errors.ts';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { ToolResult } from '../domain/tool.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import {
  defaultCallTimeoutMs,
  isForgottenSession,
  toCallFailure,
  toConnectFailure,
  toOpenCircuit,
} from './call-errors.ts';
import { isTransportFailure, type CircuitBreaker } from './circuit-breaker.ts';
import type { McpConnection } from './connection.ts';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import { runRequest } from './pending-request.ts';
import { redactError, redactResult } from './redact-result.ts';
import type { McpEndpoint, McpTarget } from './target.ts';
import { toToolResult, type KeepBinary } from './tool-result.ts';

/** Where the key of a call travels, for servers that know it: `_meta` of `tools/call`. */
export const idempotencyKeyMeta = 'holdfast/idempotencyKey';

/** A call of a tool. */
export interface McpToolCall {
  target: McpTarget;
  tool: string;
  arguments: JsonObject;
  idempotencyKey?: string;
  /** For the whole call, connecting included; progress does not extend it. @default 25 000 */
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (detail: JsonValue) => void;
  /** Stores the binary parts of the result; without it they are described and left out. */
  keepBinary?: KeepBinary;
}

interface ToolCallerOptions {
  pool: ConnectionPool;
  breaker: CircuitBreaker;
  toEndpoint: (target: McpTarget) => McpEndpoint;
  maxTextBytes: number;
}

interface Attempt {
  call: McpToolCall;
  endpoint: McpEndpoint;
  timeoutMs: number;
  deadline: number;
  /** Fires when the caller gives up or the time is over. */
  signal: AbortSignal;
}

function requestTool(connection: McpConnection, { call, deadline }: Attempt): Promise<CallToolResult> {
  const { onProgress, idempotencyKey } = call;
  const meta = idempotencyKey === undefined ? {} : { _meta: { [idempotencyKeyMeta]: idempotencyKey } };
  const remainingMs = Math.max(1, deadline - Date.now());
  const toolDefinition = connection.findTool(call.tool);
  return runRequest({ signal: call.signal }, (pending) =>
    connection.client.callTool(
      { name: call.tool, arguments: call.arguments, ...meta },
      {
        signal: pending.signal,
        timeout: remainingMs,
        maxTotalTimeout: remainingMs,
        ...(toolDefinition ? { toolDefinition } : {}),
        ...(onProgress ? { onprogress: (progress) => onProgress(progress as JsonObject) } : {}),
      },
    ),
  );
}

/** The reason of the caller's signal comes first: the caller knows best why a call ended. */
function toUnconnected({ call, endpoint, timeoutMs, signal }: Attempt, error: unknown): ToolResult {
  call.signal?.throwIfAborted();
  if (!signal.aborted) return toConnectFailure(endpoint.label, error);
  const message = `The MCP server "${endpoint.label}" could not be connected to within ${timeoutMs} ms.`;
  throw new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: false, cause: error });
}

/** What a request that failed says of the connection it was sent over. */
function noteSilence(connection: McpConnection, error: unknown): void {
  const isTimeout = error instanceof ToolInterruptedError && error.code === 'TOOL_TIMED_OUT';
  connection.noteAnswer(!isTimeout);
}

function createAttempts({ pool, maxTextBytes }: ToolCallerOptions) {
  const keepNothing: KeepBinary = () => Promise.resolve(null);

  const callOver = async (connection: McpConnection, attempt: Attempt): Promise<ToolResult | 'forgotten'> => {
    const { call, endpoint, timeoutMs } = attempt;
    let answer: CallToolResult;
    try {
      answer = await requestTool(connection, attempt);
      connection.noteAnswer(true);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (isForgottenSession(error)) {
        pool.retire(endpoint, connection);
        return 'forgotten';
      }
      try {
        return toCallFailure({ server: endpoint.label, timeoutMs, error, brokenBy: connection.brokenBy() });
      } catch (interruption) {
        noteSilence(connection, interruption);
        throw interruption;
      }
    }
    return toToolResult(answer, { maxTextBytes, keep: call.keepBinary ?? keepNothing });
  };

  return async (attempt: Attempt): Promise<ToolResult | 'forgotten'> => {
    let lease: Lease;
    try {
      lease = await pool.lend(attempt.endpoint, attempt.signal);
    } catch (error) {
      return toUnconnected(attempt, error);
    }
    const { connection, release } = lease;
    try {
      const result = await callOver(connection, attempt);
      return result === 'forgotten' ? result : redactResult(result, connection.redact);
    } catch (error) {
      throw redactError(error, connection.redact);
    } finally {
      release();
    }
  };
}

/** Builds the function that calls tools over the connections of a pool. */
export function createToolCaller(options: ToolCallerOptions) {
  const { breaker, toEndpoint } = options;
  const attemptCall = createAttempts(options);

  const callTwice = async (attempt: Attempt): Promise<ToolResult> => {
    const first = await attemptCall(attempt);
    if (first !== 'forgotten') return first;
    const second = await attemptCall(attempt);
    if (second !== 'forgotten') return second;
    const message = `The MCP server "${attempt.endpoint.label}" does not keep its sessions.`;
    throw new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: false });
  };

  const callWatched = async (call: McpToolCall, endpoint: McpEndpoint): Promise<ToolResult> => {
    const refusedUntil = breaker.refusedUntil(endpoint.key);
    if (refusedUntil !== null) return toOpenCircuit(endpoint.label, refusedUntil);
    const timeoutMs = call.timeoutMs ?? defaultCallTimeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    try {
      const result = await callTwice({ call, endpoint, timeoutMs, signal, deadline: Date.now() + timeoutMs });
      breaker.noteSuccess(endpoint.key);
      return redactResult(result, endpoint.redact);
    } catch (error) {
      if (error instanceof ToolInterruptedError && isTransportFailure(error))
        breaker.noteFailure(endpoint.key);
      throw redactError(error, endpoint.redact);
    }
  };

  return async (call: McpToolCall): Promise<ToolResult> => {
    call.signal?.throwIfAborted();
    try {
      return await callWatched(call, toEndpoint(call.target));
    } catch (error) {
      if (!isUnusableTarget(error)) throw error;
      const code = error.code === 'NOT_FOUND' ? 'INVALID_TOOL_CONFIG' : error.code;
      return { status: 'failed', error: { code, message: error.message } };
    }
  };
}

/** A call to what is no server has nobody to be sent to, whoever asks again. */
function isUnusableTarget(error: unknown): error is HoldfastError {
  return (
    error instanceof HoldfastError && (error.code === 'NOT_FOUND' || error.code === 'TOOL_MISCONFIGURED')
  );
}
