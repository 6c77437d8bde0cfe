import type { FetchLike } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { ToolOutcome } from '../../domain/tool.ts';
import { createOperatorFetch } from '../../platform/egress/guarded-fetch.ts';
import { createToolCaller, type McpToolCall } from './call-tool.ts';
import type { McpCatalogue } from './mcp-catalogue.ts';
import { createCircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts';
import { openMcpSession, type SessionOptions } from './mcp-session.ts';
import { createSessionPool, type SessionPool } from './session-pool.ts';
import { createToolLister, type ListedTool, type ListTools, type ListToolsOptions } from './list-tools.ts';
import { toConnectionEndpointId, toEndpoint, type ConnectionReference, type McpTarget } from './target.ts';

/** The catalogue and the limits of a manager. */
export interface McpClientManagerOptions {
  catalogue: McpCatalogue;
  /** The fetch for the servers of the catalogue. @default one that may reach private addresses; `close` closes it */
  fetch?: FetchLike;
  /** @default "holdfast" */
  clientName?: string;
  /** The version of the client that servers get. */
  clientVersion: string;
  /** An idle session is closed after this long. @default 60 000 */
  idleMs?: number;
  /** A session of this age is replaced by a new one. @default 15 minutes */
  maxAgeMs?: number;
  /** The most sessions in all; an idle session is closed to open a new one. @default 128 */
  maxSessions?: number;
  /** The most sessions of one workspace. @default 32 */
  maxSessionsPerWorkspace?: number;
  /** @default 15 000 */
  connectTimeoutMs?: number;
  /** The most bytes that are read of one message, and that are kept of a result's text. @default 1 MiB */
  maxMessageBytes?: number;
  /** The most bytes that are read of a list of tools, over all of its pages. @default 8 MiB */
  maxListBytes?: number;
  breaker?: CircuitBreakerOptions;
}

/** Calls MCP servers, over one shared session for each workspace, server and identity. */
export interface McpClientManager {
  /** Returns the names of the servers in the catalogue. */
  servers: () => string[];
  /**
   * Connects to a server, unless a session is open, and returns its tools.
   * @throws as `listTools`
   */
  connectServer: (target: McpTarget, options?: Omit<ListToolsOptions, 'maxAgeMs'>) => Promise<ListedTool[]>;
  /**
   * Lists the tools of a server, those of all pages.
   * @throws HoldfastError NOT_FOUND for a name that is not in the catalogue; TOOL_UNREACHABLE, TOOL_TIMED_OUT,
   * EGRESS_REFUSED, or TOOL_UNAVAILABLE with the time after which to try again; the signal's reason when aborted
   */
  listTools: ListTools;
  /**
   * Calls a tool. An answer of the server is a result, also when it is an error, and when it asks people first.
   * @throws ToolInterruptedError when there was no answer; the signal's reason when aborted
   */
  callTool: (call: McpToolCall) => Promise<ToolOutcome>;
  /** Closes the sessions with one server, or with all; calls under way end first. */
  disconnect: (target?: McpTarget | ConnectionReference) => Promise<void>;
  /** Counts the sessions that are open or being opened. */
  size: () => number;
  /** Closes all sessions and ends their child processes. */
  close: () => Promise<void>;
}

/** The most servers whose reason not to start is remembered. */
const mostStartErrors = 1_000;

function createPool(
  options: McpClientManagerOptions,
  shared: Pick<SessionOptions, 'maxMessageBytes' | 'startErrors'>,
): SessionPool {
  const sessionOptions = {
    clientName: options.clientName ?? 'holdfast',
    clientVersion: options.clientVersion,
    connectTimeoutMs: options.connectTimeoutMs ?? 15_000,
    ...shared,
  };
  return createSessionPool({
    idleMs: options.idleMs ?? 60_000,
    maxAgeMs: options.maxAgeMs ?? 15 * 60_000,
    maxSessions: options.maxSessions ?? 128,
    maxSessionsPerWorkspace: options.maxSessionsPerWorkspace ?? 32,
    connect: (endpoint, signal) => openMcpSession(endpoint, { ...sessionOptions, signal }),
  });
}

/** Creates a manager; it connects to a server when it is first used. */
export function createMcpClientManager(options: McpClientManagerOptions): McpClientManager {
  const { catalogue, maxMessageBytes = 1024 * 1024, maxListBytes = 8 * 1024 * 1024 } = options;
  const ownFetch = options.fetch ? null : createOperatorFetch();
  const fetch = options.fetch ?? (ownFetch as FetchLike);
  const startErrors = new LRUCache<string, string>({ max: mostStartErrors });
  const parts = {
    pool: createPool(options, { maxMessageBytes, startErrors }),
    startErrors,
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
