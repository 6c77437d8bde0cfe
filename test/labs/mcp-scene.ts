import type { OpenConnection } from '../../src/domain/connection.ts';
import type { AttachedConnector } from '../../src/domain/connector.ts';
import type { PinCheck } from '../../src/domain/discovered-tool.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { RuleViolation } from '../../src/domain/rules.ts';
import type { NewResultFile, ToolOf, ToolResult, ToolRun } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { McpServer } from '../../src/engines/mcp/mcp-catalogue.ts';
import { createMcpClientManager } from '../../src/engines/mcp/mcp-client-manager.ts';
import { openProviders } from '../../src/engines/providers/registry.ts';
import type { McpToolDependencies } from '../../src/engines/tools/mcp/call-remote-tool.ts';
import { createFunctionRegistry } from '../../src/engines/tools/functions/function-registry.ts';
import { createToolRunner } from '../../src/engines/tools/run-tool.ts';
import {
  startScriptedServer,
  type ScriptedServerOptions,
  type ScriptedTool,
} from '../servers/mcp-servers.ts';
import { createCleanups } from './cleanups.ts';
import { createLoopbackFetch, openConnectionTo } from './open-connections.ts';
import { toolboxOf } from '../../src/engines/tools/toolbox.ts';

const registry = await openProviders();
const knowledge = { search: () => Promise.resolve({ results: [], notice: null }) };

/** The resources that a test opened; they are closed after it in reverse order. */
export const cleanups = createCleanups();

export const workspaceId = newId();

/** A scripted server, closed after the test. */
export async function serveTools(tools: Record<string, ScriptedTool>, options?: ScriptedServerOptions) {
  const server = await startScriptedServer(tools, options);
  cleanups.push(() => server.close());
  return server;
}

/** Returns the input for a run of a tool of type `mcp`. */
export function createMcpRun(
  tool: Partial<ToolOf<'mcp'>>,
  toolArguments: JsonObject = {},
  parts: Partial<ToolRun<'mcp'>> = {},
): ToolRun<'mcp'> {
  return {
    workspaceId,
    agentId: newId(),
    toolbox: toolboxOf({ tools: [], connectors: [] }),
    conversationId: newId(),
    turnId: newId(),
    toolCallId: newId(),
    tool: {
      id: newId(),
      name: 'note',
      description: '',
      type: 'mcp',
      schema: { type: 'object' },
      config: {},
      ...tool,
    },
    arguments: toolArguments,
    idempotencyKey: 'key-1',
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...parts,
  };
}

export interface ProviderCall {
  provider: string;
  tool: string;
  input: JsonObject;
}

/** A workspace with connections for tools of type `mcp`, and the recorded calls to services that are replaced. */
export function createMcpScene(catalogue: Record<string, McpServer> = {}) {
  const fetch = createLoopbackFetch();
  const mcp = createMcpClientManager({
    catalogue: new Map(Object.entries(catalogue)),
    clientVersion: '1.2.3',
  });
  cleanups.push(async () => {
    await mcp.close();
    await fetch.close();
  });
  const connections = new Map<string, OpenConnection | HoldfastError>();
  const noted = {
    resultFiles: [] as NewResultFile[],
    checks: [] as PinCheck[],
    providerCalls: [] as ProviderCall[],
  };
  const quarantine = { violation: null as RuleViolation | null, ids: new Set<string>() };
  const dependencies: McpToolDependencies = {
    mcp,
    connections: {
      open: ({ connectionId }) => {
        const found = connections.get(connectionId);
        return found instanceof HoldfastError || !found
          ? Promise.reject(found ?? createAccessDenied(connectionId))
          : Promise.resolve(found);
      },
    },
    findProviderEntry: ({ name }) => registry.findEntry(name),
    executeProviderTool: (...[provider, tool, input]): Promise<ToolResult> => {
      noted.providerCalls.push({ provider, tool, input });
      return Promise.resolve({ status: 'succeeded', text: 'from the provider' });
    },
    pins: {
      check: (check) => {
        noted.checks.push(check);
        const isStopped = quarantine.ids.has(check.target ?? check.tool.id);
        const stopped = { rule: 'quarantine', message: 'It is quarantined.' } as const;
        return Promise.resolve(isStopped ? stopped : quarantine.violation);
      },
      listQuarantined: () => Promise.resolve(quarantine.ids),
    },
    resultFiles: {
      put: (file) => Promise.resolve({ id: `file-${noted.resultFiles.push(file)}` }),
      get: () => Promise.reject(new Error('no call reads a file')),
    },
    findConnectionByName: (_workspaceId, name) => {
      const isNamed = (one: OpenConnection | HoldfastError) =>
        'connection' in one && one.connection.name === name;
      const [id] = [...connections].find(([, one]) => isNamed(one)) ?? [null];
      return Promise.resolve(id);
    },
  };
  return {
    ...noted,
    mcp,
    connections,
    quarantine,
    run: createToolRunner({ fetch, mcp: dependencies, functions: createFunctionRegistry(), knowledge }),
    dependencies,
    /** Adds a connection to a provider or to an MCP server on this machine, and returns its id. */
    connect: (endpoint: string | null, name = 'own', provider = 'mcp'): string => {
      const open = openConnectionTo(fetch, { endpoint, name, workspaceId, provider });
      connections.set(open.connection.id, open);
      return open.connection.id;
    },
  };
}

/** Returns the error for opening an unknown connection. */
export function createAccessDenied(id: string): HoldfastError {
  return new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
}

/** A connector of an agent. */
export function createConnectorOver(connectionId: string, name: string, tools: string[]): AttachedConnector {
  return { id: newId(), name, type: 'mcp', endpoint: 'http://127.0.0.1/mcp', tools, connectionId };
}
