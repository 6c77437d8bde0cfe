import type { OpenConnection } from '../../domain/connection.ts';
import type { ToolDefinition } from '../../domain/discovered-tool.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ToolOutcome, ToolRun } from '../../domain/tool.ts';
import type { McpTarget } from '../../mcp/target.ts';
import { failedResult } from '../failed-result.ts';
import {
  callRemoteTool,
  findDefinition,
  listDefinitions,
  type McpToolDependencies,
} from './call-remote-tool.ts';
import { schemaChecksOf } from '../json-schema/schema-checks.ts';
import { connectorOf, toGatewayId } from './mcp-target.ts';

/** An MCP server behind a gateway. */
interface McpGatewayServer {
  kind: 'mcp';
  name: string;
  target: McpTarget;
  /** Null for a server of the operator's catalogue. */
  connectionId: string | null;
  /** Of a connector, only the tools that it was registered with may be used. */
  allows: (tool: string) => boolean;
}

/** The operations of a catalogue provider over a connection, as a server behind a gateway. */
interface ProviderGatewayServer {
  kind: 'provider';
  name: string;
  provider: string;
  open: OpenConnection;
}

/** A server behind a gateway. */
export type GatewayServer = McpGatewayServer | ProviderGatewayServer;

/** The names of the servers that a gateway reaches. */
export function serversOf({ tool, connectors }: ToolRun<'mcp'>): string[] {
  return tool.config.servers ?? connectors.map(({ name }) => name);
}

/**
 * The server that a name stands for in an agent: one of the operator's catalogue, one of the agent's connectors, or a
 * connection. An older connection with a colon in its name is no server, since rules could not name its tools.
 * @throws HoldfastError as opening a connection does
 */
export async function findServer(
  { mcp, connections, providers, findConnectionByName }: McpToolDependencies,
  run: ToolRun<'mcp'>,
  name: string,
): Promise<GatewayServer | null> {
  if (!serversOf(run).includes(name) || name.includes(':')) return null;
  const { workspaceId } = run;
  if (mcp.servers().includes(name)) {
    const target = { server: name, workspaceId };
    return { kind: 'mcp', name, target, connectionId: null, allows: () => true };
  }
  const named = run.connectors.find((one) => one.name === name);
  const connectionId = named?.connectionId ?? (await findConnectionByName(workspaceId, name));
  // The connection of a connector is no way around its list of tools.
  const connector = named ?? run.connectors.find((one) => one.connectionId === connectionId);
  const allows = (tool: string) => connector?.tools.includes(tool) ?? true;
  if (connectionId === null) return null;
  const open = await connections.open({
    workspaceId,
    connectionId,
    ...(connector ? { provider: 'mcp' } : {}),
  });
  const { provider } = open.connection;
  if (provider === 'mcp') return { kind: 'mcp', name, target: open, connectionId, allows };
  return providers.listTools(provider).length > 0 ? { kind: 'provider', name, provider, open } : null;
}

interface ListRequest {
  run: ToolRun<'mcp'>;
  /** In epoch milliseconds. */
  deadline: number;
}

/** Lists the tools that a server offers to a gateway. */
export async function listServerTools(
  { mcp, providers }: McpToolDependencies,
  server: GatewayServer,
  { run, deadline }: ListRequest,
): Promise<ToolDefinition[]> {
  if (server.kind === 'provider') return [...providers.listTools(server.provider)];
  const definitions = await listDefinitions(mcp, { run, target: server.target, deadline });
  return definitions.filter(({ name }) => server.allows(name));
}

/** A call of one tool of a server. */
export interface ServerCall extends ListRequest {
  tool: string;
  arguments: JsonObject;
}

/** Calls a tool of a server, if it may be; whatever is refused is refused before anything is sent. */
export function callServer(
  dependencies: McpToolDependencies,
  server: GatewayServer,
  call: ServerCall,
): Promise<ToolOutcome> {
  return server.kind === 'mcp'
    ? callMcpServer(dependencies, server, call)
    : callProvider(dependencies, server, call);
}

/** Operations go by the one name that rules know them by, not by the vendor's own as well. */
async function callProvider(
  { providers, executeProviderTool }: McpToolDependencies,
  { name, provider, open }: ProviderGatewayServer,
  { run, tool, arguments: input }: ServerCall,
): Promise<ToolOutcome> {
  const isOffered = providers.listTools(provider).some((one) => one.name === tool);
  if (!isOffered) return toolNotFound({ server: name, tool });
  return executeProviderTool(provider, tool, input, open, run);
}

async function callMcpServer(
  dependencies: McpToolDependencies,
  server: McpGatewayServer,
  call: ServerCall,
): Promise<ToolOutcome> {
  const id = { server: server.name, tool: call.tool };
  if (!server.allows(call.tool)) return toolNotFound(id);
  const remote = { ...call, target: server.target };
  const definition = await findDefinition(dependencies.mcp, remote);
  if (!definition) return toolNotFound(id);
  const refused =
    (await refuseQuarantined(dependencies, server, { ...call, definition })) ??
    (await refuseArguments(call, toGatewayId(id), definition));
  return refused ?? callRemoteTool(dependencies, remote, definition);
}

/** The result for a tool that a gateway does not reach. */
export function toolNotFound(id: { server: string; tool: string }): ToolOutcome {
  return failedResult('UNKNOWN_TOOL', `Error: Tool not found: ${toGatewayId(id)}`);
}

/**
 * A tool behind the gateway is kept to what it was at its first call through it, and to what the agent's own tools
 * that lead to the same place were accepted as. What the operator's catalogue names is the operator's own.
 */
async function refuseQuarantined(
  { pins }: McpToolDependencies,
  server: McpGatewayServer,
  { run, tool, definition }: ServerCall & { definition: ToolDefinition },
): Promise<ToolOutcome | null> {
  if (server.connectionId === null) return null;
  const target = toGatewayId({ server: server.name, tool });
  const twins = toolsWithSameTarget(run, server, tool).map((twin) => ({ tool: twin }));
  for (const pinned of [...twins, { tool: run.tool, target }]) {
    const { workspaceId, agentId } = run;
    const violation = await pins.check({ workspaceId, agentId, definition, ...pinned });
    if (violation) return failedResult('TOOL_QUARANTINED', violation.message);
  }
  return null;
}

/** The agent's own tools that lead to a tool behind its gateway. */
export function toolsWithSameTarget(
  { agentTools, connectors }: ToolRun<'mcp'>,
  server: GatewayServer,
  tool: string,
) {
  if (server.kind === 'provider' || server.connectionId === null) return [];
  return agentTools.filter((other) => {
    if (other.type !== 'mcp') return false;
    const { name, config } = other;
    if (config.gateway === true || (config.tool ?? name) !== tool) return false;
    return (connectorOf(other, connectors)?.connectionId ?? config.connectionId) === server.connectionId;
  });
}

/** Refuses arguments that do not fit. When the schema cannot be checked in bounded time, the server checks them. */
async function refuseArguments(
  { run, arguments: input }: ServerCall,
  id: string,
  { inputSchema }: ToolDefinition,
): Promise<ToolOutcome | null> {
  const check = await schemaChecksOf(run.workspaceId).checkForeign(inputSchema, input);
  if ('problem' in check) return null;
  if ('refusal' in check) {
    const message = `The "args" of ${id} cannot be checked against its schema: ${check.refusal}. Send less data.`;
    return failedResult('INVALID_TOOL_ARGUMENTS', message);
  }
  if (check.fields.length === 0) return null;
  const message = `The "args" of ${id} do not fit its schema. Correct them and call it again.`;
  return failedResult('INVALID_TOOL_ARGUMENTS', message, check.fields);
}
