import type { OpenConnection } from '../domain/connection.ts';
import type { AttachedConnector } from '../domain/connector.ts';
import type { ToolExecutor, ToolResult, ToolRun } from '../domain/tool.ts';
import { failedResult } from './failed-result.ts';
import {
  callRemoteTool,
  deadlineOf,
  findDefinition,
  orFailedResult,
  type McpToolDependencies,
} from './mcp/call-remote-tool.ts';
import { createMcpGateway } from './mcp/mcp-gateway.ts';
import { connectorOf } from './tool-target.ts';

function remoteNameOf({ tool }: ToolRun): string {
  return tool.config.tool ?? tool.name;
}

/** Calls a tool of an MCP server that a tenant named: only while it is what was accepted. */
async function callPinnedTool(
  dependencies: McpToolDependencies,
  run: ToolRun,
  open: OpenConnection,
): Promise<ToolResult> {
  const call = {
    run,
    target: open,
    tool: remoteNameOf(run),
    arguments: run.arguments,
    deadline: deadlineOf(run),
  };
  const definition = await findDefinition(dependencies.mcp, call);
  if (!definition) {
    const message = `The MCP server "${open.connection.name}" no longer has a tool "${call.tool}". Nothing was sent.`;
    return failedResult('UNKNOWN_TOOL', message);
  }
  const { workspaceId, agentId, tool } = run;
  const violation = await dependencies.pins.check({ workspaceId, agentId, tool, definition });
  if (violation) return failedResult('TOOL_QUARANTINED', violation.message);
  return callRemoteTool(dependencies, call, definition);
}

async function callOverConnector(
  dependencies: McpToolDependencies,
  run: ToolRun,
  { connectionId }: AttachedConnector,
): Promise<ToolResult> {
  const { workspaceId } = run;
  const open = await dependencies.connections.open({ workspaceId, connectionId, provider: 'mcp' });
  return callPinnedTool(dependencies, run, open);
}

async function callOverConnection(dependencies: McpToolDependencies, run: ToolRun): Promise<ToolResult> {
  const { connectionId, provider } = run.tool.config;
  if (connectionId === undefined)
    return failedResult('TOOL_MISCONFIGURED', 'MCP tool missing connectionId in config');
  if (provider === undefined)
    return failedResult('TOOL_MISCONFIGURED', 'MCP tool missing provider in config');
  const open = await dependencies.connections.open({ workspaceId: run.workspaceId, connectionId, provider });
  if (provider === 'mcp') return callPinnedTool(dependencies, run, open);
  return dependencies.executeProviderTool(provider, remoteNameOf(run), run.arguments, open, run);
}

/**
 * Builds the executor of tools of type `mcp`. Where a call goes is said by the tool's config: a connector, a
 * connection, a server of the operator's catalogue, the gateway; without any of them it is the connector of the
 * agent that claims the tool's name.
 */
export function createMcpTool(dependencies: McpToolDependencies): ToolExecutor {
  const callGateway = createMcpGateway(dependencies);

  const route = (run: ToolRun): Promise<ToolResult> => {
    const { gateway, connectorId, connectionId, provider, server } = run.tool.config;
    if (gateway === true) return callGateway(run);
    const connector = connectorOf(run.tool, run.connectors);
    if (connector) return callOverConnector(dependencies, run, connector);
    if (connectorId !== undefined) {
      const message = `The connector of the tool "${run.tool.name}" is not attached to the agent. Provision it again.`;
      return Promise.resolve(failedResult('TOOL_MISCONFIGURED', message));
    }
    const isOperators = server !== undefined && connectionId === undefined && provider === undefined;
    if (!isOperators) return callOverConnection(dependencies, run);
    return callRemoteTool(dependencies, {
      run,
      target: { server, workspaceId: run.workspaceId },
      tool: remoteNameOf(run),
      arguments: run.arguments,
      deadline: deadlineOf(run),
    });
  };

  return async (run) => {
    run.signal.throwIfAborted();
    return orFailedResult(() => route(run));
  };
}
