import type { Tool } from '@modelcontextprotocol/client';
import { HoldfastError } from '../domain/errors.ts';
import type { ToolResult } from '../domain/tool.ts';
import { defaultCallTimeoutMs, toCallFailure, toConnectFailure } from './call-errors.ts';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import { runRequest } from './pending-request.ts';

/** A tool as its server describes it. */
export type ListedTool = Tool;

/** How long to wait for a list of tools. */
export interface ListToolsOptions {
  signal?: AbortSignal;
  /** @default 25 000 */
  timeoutMs?: number;
}

/** Lists the tools of one server. */
export type ListTools = (server: string, options?: ListToolsOptions) => Promise<ListedTool[]>;

/** There is no model to be told of a failure here: all of them are thrown. */
function throwFailure(toFailure: () => ToolResult, callerSignal: AbortSignal | undefined): never {
  callerSignal?.throwIfAborted();
  const failure = toFailure();
  const message =
    failure.status === 'failed' ? failure.error.message : 'The MCP server gave no list of tools.';
  throw new HoldfastError('TOOL_UNREACHABLE', message, { retryable: false });
}

/** Builds the function that asks a server for its tools, every time anew. */
export function createToolLister(pool: ConnectionPool): ListTools {
  const lend = async (server: string, signal: AbortSignal, callerSignal?: AbortSignal): Promise<Lease> => {
    try {
      return await pool.lend(server, signal);
    } catch (error) {
      if (error instanceof HoldfastError && error.code === 'NOT_FOUND') throw error;
      return throwFailure(() => toConnectFailure(server, error), callerSignal);
    }
  };

  return async (server, { signal: callerSignal, timeoutMs = defaultCallTimeoutMs } = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
    const { connection, release } = await lend(server, signal, callerSignal);
    const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, cacheMode: 'refresh' } as const;
    try {
      const { tools } = await runRequest(callerSignal, (pending) =>
        connection.client.listTools(undefined, { signal: pending.signal, ...limits }),
      );
      return tools;
    } catch (error) {
      const failed = { server, timeoutMs, error, brokenBy: connection.brokenBy() };
      return throwFailure(() => toCallFailure(failed), callerSignal);
    } finally {
      release();
    }
  };
}
