import { z } from 'zod';
import type { OpenConnection } from '../../domain/connection.ts';
import type { ToolEffect, ToolOf, ToolOutcome, ToolRun } from '../../domain/tool.ts';
import { configText } from './config-fields.ts';
import { failedResult } from './failed-result.ts';
import {
  callRemoteTool,
  deadlineOf,
  findDefinition,
  orFailedResult,
  type McpToolDependencies,
} from './mcp/call-remote-tool.ts';
import { checkMcpTool } from './mcp/check-mcp-tool.ts';
import { findInnerCall } from './mcp/inner-call.ts';
import { runGateway } from './mcp/mcp-gateway.ts';
import { connectorOf, findGatewayCall, findMcpPlace, findMcpServer, remoteNameOf } from './mcp/mcp-target.ts';
import type { EffectiveTool, EffectSources, StepToolType, ToolDependencies } from './tool-type.ts';

const config = z.object({
  connectionId: configText.describe('The connection that the tool is called over'),
  provider: configText.describe('The provider of that connection; `mcp` for an MCP server'),
  connectorId: configText.describe('The connector that the tool was provisioned from'),
  server: configText.describe("The name of a server in the operator's MCP catalogue"),
  tool: configText.describe('The name of the tool on its server. Without it the name of the tool'),
  gateway: z
    .boolean()
    .optional()
    .describe('Makes this the one tool through which all tools of `servers` are listed and called'),
  servers: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe(
      "Names of the agent's connectors, of connections or of catalogue servers. Without it all connectors of the agent",
    ),
});

declare module '../../domain/tool.ts' {
  interface ToolConfigs {
    mcp: z.infer<typeof config>;
  }
}

/** Tools of type `mcp`: tools of MCP servers, and operations of the provider catalogue. */
export const mcpTool = {
  type: 'mcp',
  config,
  needs: ['server', 'connectionId', 'gateway'],
  checkTarget: checkMcpTool,
  // The effect that an operator sets for a gateway is that of its calls; all else that it does is to list.
  isHarmless: (tool, toolArguments) =>
    tool.config.gateway === true && toolArguments !== undefined && findGatewayCall(toolArguments) === null,
  effect: (tool, _toolArguments, sources) => effectOfOperation(sources, tool),
  server: findMcpServer,
  place: findMcpPlace,
  route: 'step',
  findInnerCall: (call, { mcp }) => findInnerCall(mcp, call),
  run,
} satisfies StepToolType<'mcp'>;

/** The effect of a provider's operation; what the tools of MCP servers do is not known. */
function effectOfOperation(
  { operations }: EffectSources,
  { name, config }: EffectiveTool<'mcp'>,
): ToolEffect {
  const { provider, connectionId, tool = name } = config;
  if (provider === undefined || connectionId === undefined) return 'unsafe';
  return operations?.effectOf({ provider, connectionId }, tool) ?? 'unsafe';
}

function run(call: ToolRun<'mcp'>, { mcp }: { mcp: ToolDependencies['mcp'] }): Promise<ToolOutcome> {
  return orFailedResult(() => routeCall(mcp, call));
}

/**
 * Sends a call where the tool's config says: to the gateway, over a connector or a connection, or to a server of the
 * operator's catalogue; without any of them to the connector of the agent that claims the tool's name.
 */
async function routeCall(dependencies: McpToolDependencies, run: ToolRun<'mcp'>): Promise<ToolOutcome> {
  const { gateway, connectorId, connectionId, provider, server } = run.tool.config;
  if (gateway === true) return runGateway(dependencies, run);
  const connector = connectorOf(run.tool, run.toolbox.connectors);
  if (connector)
    return callOverConnection(dependencies, run, { connectionId: connector.connectionId, provider: 'mcp' });
  if (connectorId !== undefined) {
    const message = `The connector of the tool "${run.tool.name}" is not attached to the agent. Provision it again.`;
    return failedResult('TOOL_MISCONFIGURED', message);
  }
  const isOperators = server !== undefined && connectionId === undefined && provider === undefined;
  if (!isOperators) return callOverConnection(dependencies, run, run.tool.config);
  return callRemoteTool(dependencies, {
    run,
    target: { server, workspaceId: run.workspaceId },
    tool: remoteNameOf(run.tool),
    arguments: run.arguments,
    deadline: deadlineOf(run),
  });
}

/** Calls a tool of an MCP server that a tenant named, only while its definition is the accepted one. */
async function callPinnedTool(
  dependencies: McpToolDependencies,
  run: ToolRun<'mcp'>,
  open: OpenConnection,
): Promise<ToolOutcome> {
  const call = {
    run,
    target: open,
    tool: remoteNameOf(run.tool),
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

async function callOverConnection(
  dependencies: McpToolDependencies,
  run: ToolRun<'mcp'>,
  { connectionId, provider }: Pick<ToolOf<'mcp'>['config'], 'connectionId' | 'provider'>,
): Promise<ToolOutcome> {
  const missing = connectionId === undefined ? 'connectionId' : 'provider';
  if (connectionId === undefined || provider === undefined)
    return failedResult('TOOL_MISCONFIGURED', `MCP tool missing ${missing} in config`);
  const open = await dependencies.connections.open({ workspaceId: run.workspaceId, connectionId, provider });
  if (provider === 'mcp') return callPinnedTool(dependencies, run, open);
  return dependencies.executeProviderTool(provider, remoteNameOf(run.tool), run.arguments, open, run);
}
