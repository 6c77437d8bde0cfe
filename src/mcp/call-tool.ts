import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { ToolResult } from '../domain/tool.ts';
import { ToolInterruptedError } from '../domain/tool-interrupted.ts';
import { defaultCallTimeoutMs, isForgottenSession, toCallFailure, toConnectFailure } from './call-errors.ts';
import type { McpCatalogue } from './catalogue.ts';
import type { McpConnection } from './connection.ts';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import { runRequest } from './pending-request.ts';
import { toToolResult } from './tool-result.ts';

/** Where the key of a call travels, for servers that know it: `_meta` of `tools/call`. */
export const idempotencyKeyMeta = 'holdfast/idempotencyKey';

/** A call of a tool on a server of the catalogue. */
export interface McpToolCall {
  server: string;
  tool: string;
  arguments: JsonObject;
  idempotencyKey?: string;
  /** For the whole call, connecting included. @default 25 000 */
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (detail: JsonValue) => void;
}

interface ToolCallerOptions {
  pool: ConnectionPool;
  catalogue: McpCatalogue;
  maxTextBytes: number;
}

interface Attempt {
  call: McpToolCall;
  timeoutMs: number;
  deadline: number;
  /** Fires when the caller gives up or the time is over. */
  signal: AbortSignal;
}

function requestTool(connection: McpConnection, { call, deadline }: Attempt): Promise<CallToolResult> {
  const { onProgress, idempotencyKey } = call;
  const meta = idempotencyKey === undefined ? {} : { _meta: { [idempotencyKeyMeta]: idempotencyKey } };
  const remainingMs = Math.max(1, deadline - Date.now());
  return runRequest(call.signal, (pending) =>
    connection.client.callTool(
      { name: call.tool, arguments: call.arguments, ...meta },
      {
        signal: pending.signal,
        timeout: remainingMs,
        maxTotalTimeout: remainingMs,
        ...(onProgress ? { onprogress: (progress) => onProgress(progress as JsonObject) } : {}),
      },
    ),
  );
}

function unknownServer(call: McpToolCall, catalogue: McpCatalogue): ToolResult {
  const known = [...catalogue.keys()].join(', ') || 'none';
  const message = `There is no MCP server "${call.server}" in the catalogue. Known are: ${known}.`;
  return { status: 'failed', error: { code: 'INVALID_TOOL_CONFIG', message } };
}

/** The reason of the caller's signal comes first: the caller knows best why a call ended. */
function toUnconnected({ call, timeoutMs, signal }: Attempt, error: unknown): ToolResult {
  call.signal?.throwIfAborted();
  if (!signal.aborted) return toConnectFailure(call.server, error);
  const message = `The MCP server "${call.server}" could not be connected to within ${timeoutMs} ms.`;
  throw new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: false, cause: error });
}

/** Builds the function that calls tools over the connections of a pool. */
export function createToolCaller({ pool, catalogue, maxTextBytes }: ToolCallerOptions) {
  const callOver = async (connection: McpConnection, attempt: Attempt): Promise<ToolResult | 'forgotten'> => {
    const { call, timeoutMs } = attempt;
    try {
      return toToolResult(await requestTool(connection, attempt), maxTextBytes);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!isForgottenSession(error)) {
        return toCallFailure({ server: call.server, timeoutMs, error, brokenBy: connection.brokenBy() });
      }
      pool.retire(call.server, connection);
      return 'forgotten';
    }
  };

  const attemptCall = async (attempt: Attempt): Promise<ToolResult | 'forgotten'> => {
    let lease: Lease;
    try {
      lease = await pool.lend(attempt.call.server, attempt.signal);
    } catch (error) {
      return toUnconnected(attempt, error);
    }
    return callOver(lease.connection, attempt).finally(lease.release);
  };

  return async (call: McpToolCall): Promise<ToolResult> => {
    call.signal?.throwIfAborted();
    if (!catalogue.has(call.server)) return unknownServer(call, catalogue);
    const timeoutMs = call.timeoutMs ?? defaultCallTimeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    const attempt = { call, timeoutMs, signal, deadline: Date.now() + timeoutMs };
    const first = await attemptCall(attempt);
    if (first !== 'forgotten') return first;
    const second = await attemptCall(attempt);
    if (second !== 'forgotten') return second;
    const message = `The MCP server "${call.server}" does not keep its sessions.`;
    throw new ToolInterruptedError('TOOL_UNAVAILABLE', message, { sent: false });
  };
}
