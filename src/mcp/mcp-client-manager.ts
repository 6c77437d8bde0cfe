import type { FetchLike } from '@modelcontextprotocol/client';
import type { ToolResult } from '../domain/tool.ts';
import { createOperatorFetch } from '../egress/guarded-fetch.ts';
import { createToolCaller, type McpToolCall } from './call-tool.ts';
import type { McpCatalogue } from './catalogue.ts';
import { createCircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts';
import { openMcpConnection } from './connection.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import { toConnectionEndpointId, type ConnectionReference } from './connection-reference.ts';
import { createToolLister, type ListedTool, type ListTools, type ListToolsOptions } from './list-tools.ts';
import { toEndpoint, type McpTarget } from './target.ts';

/** What a manager is built from. */
export interface McpClientManagerOptions {
  catalogue: McpCatalogue;
  /** For the servers of the catalogue. Without it the manager makes one that may reach private addresses, and closes it at the end. */
  fetch?: FetchLike;
  /** @default "holdfast" */
  clientName?: string;
  /** @default "0.0.0" */
  clientVersion?: string;
  /** An unused connection is closed after this long. @default 60 000 */
  idleMs?: number;
  /** A connection of this age is replaced by a new one. @default 15 minutes */
  maxAgeMs?: number;
  /** How many connections are open at once; unused ones make room. @default 128 */
  maxConnections?: number;
  /** How many of them one workspace may have. @default 32 */
  maxConnectionsPerWorkspace?: number;
  /** @default 15 000 */
  connectTimeoutMs?: number;
  /** How much of one message of a server is read, and how much text of a result is kept. @default 1 MiB */
  maxMessageBytes?: number;
  /** How much of a list of tools is read, over all of its pages. @default 8 MiB */
  maxListBytes?: number;
  breaker?: CircuitBreakerOptions;
}

/** Speaks to MCP servers, over one shared connection for each workspace, server and identity. */
export interface McpClientManager {
  /** The names of the catalogue. */
  servers: () => string[];
  /**
   * Connects to a server, unless it is connected to, and gives its tools.
   * @throws as `listTools`
   */
  connectServer: (target: McpTarget, options?: Omit<ListToolsOptions, 'maxAgeMs'>) => Promise<ListedTool[]>;
  /**
   * The tools that a server offers, those of all pages.
   * @throws HoldfastError NOT_FOUND for a name that is not in the catalogue; TOOL_UNREACHABLE, TOOL_TIMED_OUT,
   * EGRESS_REFUSED, or TOOL_UNAVAILABLE with the time after which it is tried again; the signal's reason when aborted
   */
  listTools: ListTools;
  /**
   * Calls a tool. What the server answers is a result, also when it is an error.
   * @throws ToolInterruptedError when there was no answer; the signal's reason when aborted
   */
  callTool: (call: McpToolCall) => Promise<ToolResult>;
  /** Ends the connections to a server, or to all; calls under way end first. */
  disconnect: (target?: McpTarget | ConnectionReference) => Promise<void>;
  /** How many connections are open or being opened. */
  size: () => number;
  /** Ends sessions, connections and child processes. */
  close: () => Promise<void>;
}

function createPool(options: McpClientManagerOptions, maxMessageBytes: number): ConnectionPool {
  const connectionOptions = {
    clientName: options.clientName ?? 'holdfast',
    clientVersion: options.clientVersion ?? '0.0.0',
    connectTimeoutMs: options.connectTimeoutMs ?? 15_000,
    maxMessageBytes,
  };
  return createConnectionPool({
    idleMs: options.idleMs ?? 60_000,
    maxAgeMs: options.maxAgeMs ?? 15 * 60_000,
    maxConnections: options.maxConnections ?? 128,
    maxConnectionsPerWorkspace: options.maxConnectionsPerWorkspace ?? 32,
    connect: (endpoint, signal) => openMcpConnection(endpoint, { ...connectionOptions, signal }),
  });
}

/** Builds a manager; it connects when it is first asked for something. */
export function createMcpClientManager(options: McpClientManagerOptions): McpClientManager {
  const { catalogue, maxMessageBytes = 1024 * 1024, maxListBytes = 8 * 1024 * 1024 } = options;
  const ownFetch = options.fetch ? null : createOperatorFetch();
  const fetch = options.fetch ?? (ownFetch as FetchLike);
  const parts = {
    pool: createPool(options, maxMessageBytes),
    breaker: createCircuitBreaker(options.breaker),
    toEndpoint: (target: McpTarget) => toEndpoint(target, { catalogue, fetch }),
  };
  const listTools = createToolLister({ ...parts, maxListBytes });
  return {
    servers: () => [...catalogue.keys()],
    connectServer: (target, listOptions) => listTools(target, { ...listOptions, maxAgeMs: Infinity }),
    listTools,
    callTool: createToolCaller({ ...parts, maxTextBytes: maxMessageBytes }),
    disconnect: (target) => {
      const isReference = target !== undefined && 'connectionId' in target;
      if (isReference) return parts.pool.disconnect(toConnectionEndpointId(target));
      return parts.pool.disconnect(target && parts.toEndpoint(target).id);
    },
    size: () => parts.pool.size(),
    async close() {
      await parts.pool.close();
      await ownFetch?.close();
    },
  };
}
