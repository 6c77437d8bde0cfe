import type { FetchLike } from '@modelcontextprotocol/client';
import { HoldfastError } from '../domain/errors.ts';
import type { ToolResult } from '../domain/tool.ts';
import { createOperatorFetch } from '../egress/guarded-fetch.ts';
import { createToolCaller, type McpToolCall } from './call-tool.ts';
import type { McpCatalogue } from './catalogue.ts';
import { openMcpConnection } from './connection.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createToolLister, type ListedTool, type ListToolsOptions } from './list-tools.ts';

/** What a manager is built from. */
export interface McpClientManagerOptions {
  catalogue: McpCatalogue;
  /** Without it the manager makes one that may reach private addresses, and closes it at the end. */
  fetch?: FetchLike;
  /** @default "holdfast" */
  clientName?: string;
  /** @default "0.0.0" */
  clientVersion?: string;
  /** An unused connection is closed after this long. @default 60 000 */
  idleMs?: number;
  /** A connection of this age is replaced by a new one. @default 15 minutes */
  maxAgeMs?: number;
  /** @default 15 000 */
  connectTimeoutMs?: number;
  /** How much of one message of a server is read, and how much text of a result is kept. @default 1 MiB */
  maxMessageBytes?: number;
}

/** Speaks to the MCP servers of the catalogue, over one shared connection each. */
export interface McpClientManager {
  /** The names of the catalogue. */
  servers: () => string[];
  /**
   * The tools that a server offers now.
   * @throws HoldfastError NOT_FOUND, TOOL_UNREACHABLE or TOOL_UNAVAILABLE
   */
  listTools: (server: string, options?: ListToolsOptions) => Promise<ListedTool[]>;
  /**
   * Calls a tool. What the server answers is a result, also when it is an error.
   * @throws ToolInterruptedError when there was no answer; the signal's reason when aborted
   */
  callTool: (call: McpToolCall) => Promise<ToolResult>;
  /** Ends sessions, connections and child processes. */
  close: () => Promise<void>;
}

/** Builds a manager; it connects when it is first asked for something. */
export function createMcpClientManager(options: McpClientManagerOptions): McpClientManager {
  const { catalogue, maxMessageBytes = 1024 * 1024 } = options;
  const ownFetch = options.fetch ? null : createOperatorFetch();
  const connectionOptions = {
    clientName: options.clientName ?? 'holdfast',
    clientVersion: options.clientVersion ?? '0.0.0',
    fetch: options.fetch ?? (ownFetch as FetchLike),
    connectTimeoutMs: options.connectTimeoutMs ?? 15_000,
    maxMessageBytes,
  };
  const pool = createConnectionPool({
    idleMs: options.idleMs ?? 60_000,
    maxAgeMs: options.maxAgeMs ?? 15 * 60_000,
    connect: async (name, signal) => {
      const server = catalogue.get(name);
      if (!server) throw new HoldfastError('NOT_FOUND', `There is no MCP server "${name}" in the catalogue.`);
      return openMcpConnection(server, { ...connectionOptions, signal });
    },
  });
  return {
    servers: () => [...catalogue.keys()],
    listTools: createToolLister(pool),
    callTool: createToolCaller({ pool, catalogue, maxTextBytes: maxMessageBytes }),
    async close() {
      await pool.close();
      await ownFetch?.close();
    },
  };
}
