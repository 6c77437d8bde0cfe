import type { OpenConnection } from '../../../domain/connection.ts';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { FailedResult, Place, Tool, ToolOutcome, ToolRun } from '../../../domain/tool.ts';
import type { McpTarget } from '../../mcp/target.ts';
import type { ProviderEntry } from '../../providers/provider-entry.ts';
import { failedResult } from '../failed-result.ts';
import {
  callRemoteTool,
  findDefinition,
  listDefinitions,
  type McpToolDependencies,
} from './call-remote-tool.ts';
import { schemaChecksOf } from '../json-schema/schema-checks.ts';
import { isSamePlace, toConnectionPlace, toGatewayId, toServerPlace } from './mcp-target.ts';

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

/** The operations of a provider over a connection, as a server behind a gateway. */
interface ProviderGatewayServer {
  kind: 'provider';
  name: string;
  provider: string;
  tools: readonly ToolDefinition[];
  effectOf: ProviderEntry['effectOf'];
  open: OpenConnection;
}

/** A server behind a gateway. */
export type GatewayServer = McpGatewayServer | ProviderGatewayServer;

/** The names of the servers that a gateway reaches. */
export function serversOf({ tool, toolbox }: ToolRun<'mcp'>): string[] {
  return tool.config.servers ?? toolbox.connectors.map(({ name }) => name);
}

/**
 * The server that a name stands for in an agent: one of the operator's catalogue, one of the agent's connectors, or a
 * connection. An older connection with a colon in its name is no server, since rules could not name its tools.
 * @throws HoldfastError as opening a connection does
 */
export async function findServer(
  { mcp, connections, findProviderEntry, findConnectionByName }: McpToolDependencies,
  run: ToolRun<'mcp'>,
  name: string,
): Promise<GatewayServer | null> {
  if (!serversOf(run).includes(name) || name.includes(':')) return null;
  const { workspaceId } = run;
  if (mcp.servers().includes(name)) {
    const target = { server: name, workspaceId };
    return { kind: 'mcp', name, target, connectionId: null, allows: () => true };
  }
  const { connectors } = run.toolbox;
  const named = connectors.find((one) => one.name === name);
  const connectionId = named?.connectionId ?? (await findConnectionByName(workspaceId, name));
  // A call over the connection of a connector may use only the connector's tools too.
  const connector = named ?? connectors.find((one) => one.connectionId === connectionId);
  const allows = (tool: string) => connector?.tools.includes(tool) ?? true;
  if (connectionId === null) return null;
  const open = await connections.open({
    workspaceId,
    connectionId,
    ...(connector ? { provider: 'mcp' } : {}),
  });
  const { provider } = open.connection;
  if (provider === 'mcp') return { kind: 'mcp', name, target: open, connectionId, allows };
  const entry = await findProviderEntry({ workspaceId, name: provider });
  if (!entry) return null;
  return { kind: 'provider', name, provider, tools: entry.tools, effectOf: entry.effectOf, open };
}

interface ListRequest {
  run: ToolRun<'mcp'>;
  /** In epoch milliseconds. */
  deadline: number;
}

/** Lists the tools that a server offers to a gateway. */
export async function listServerTools(
  { mcp }: Pick<McpToolDependencies, 'mcp'>,
  server: GatewayServer,
  { run, deadline }: ListRequest,
): Promise<ToolDefinition[]> {
  if (server.kind === 'provider') return [...server.tools];
  const definitions = await listDefinitions(mcp, { run, target: server.target, deadline });
  return definitions.filter(({ name }) => server.allows(name));
}

/** A call of one tool of a server, with its present definition. */
interface ServerCall extends ListRequest {
  tool: string;
  arguments: JsonObject;
  definition: ToolDefinition;
}

/** The arguments that a call of the gateway has for the tool behind it. */
export function toGatewayArguments({ args }: JsonObject): JsonObject {
  return (args ?? {}) as JsonObject;
}

/** Calls a tool of a server, if it may be; whatever is refused is refused before anything is sent. */
export async function sendServerCall(
  dependencies: McpToolDependencies,
  server: GatewayServer,
  call: ServerCall,
): Promise<ToolOutcome> {
  const { run, tool, arguments: input, definition } = call;
  if (server.kind === 'provider')
    return dependencies.executeProviderTool(server.provider, tool, input, server.open, run);
  const refused = await refuseServerCall(dependencies, server, call);
  return refused ?? callRemoteTool(dependencies, { ...call, target: server.target }, definition);
}

/**
 * Finds the definition of a tool that a gateway may call. Operations go by the one name that rules know them by, not by
 * the vendor's own as well.
 * @throws as listing the tools of a server
 */
export async function findServerTool(
  { mcp }: Pick<McpToolDependencies, 'mcp'>,
  server: GatewayServer,
  call: Omit<ServerCall, 'arguments' | 'definition'>,
): Promise<ToolDefinition | undefined> {
  if (server.kind === 'provider') return server.tools.find(({ name }) => name === call.tool);
  return server.allows(call.tool) ? findDefinition(mcp, { ...call, target: server.target }) : undefined;
}

/** Refuses a call of a quarantined tool, and arguments that do not fit. */
export async function refuseServerCall(
  dependencies: Pick<McpToolDependencies, 'pins'>,
  server: GatewayServer,
  call: ServerCall,
): Promise<FailedResult | null> {
  const quarantined = server.kind === 'mcp' ? await refuseQuarantined(dependencies, server, call) : null;
  return quarantined ?? refuseArguments(call, toGatewayId({ server: server.name, tool: call.tool }));
}

/** The result for a tool that a gateway does not reach. */
export function toolNotFound(id: { server: string; tool: string }): FailedResult {
  return failedResult('UNKNOWN_TOOL', `Error: Tool not found: ${toGatewayId(id)}`);
}

/**
 * Refuses a tool whose definition differs from that of its first call through the gateway, or from the accepted one of an
 * agent's own tool with the same target. Servers of the operator's catalogue are not pinned.
 */
async function refuseQuarantined(
  { pins }: Pick<McpToolDependencies, 'pins'>,
  server: McpGatewayServer,
  { run, tool, definition }: ServerCall,
): Promise<FailedResult | null> {
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
  { toolbox }: Pick<ToolRun<'mcp'>, 'toolbox'>,
  server: GatewayServer,
  tool: string,
): Tool[] {
  const place = toPlace(server, tool);
  return toolbox.tools.filter((one) => isSamePlace(one.place, place)).map((one) => one.tool);
}

/** The server was found by its name, so its connection is known. */
function toPlace(server: GatewayServer, tool: string): Place {
  if (server.kind === 'provider')
    return toConnectionPlace(tool, { id: server.open.connection.id, provider: server.provider });
  const { connectionId, name } = server;
  return connectionId === null ? toServerPlace(tool, name) : toConnectionPlace(tool, { id: connectionId });
}

/** Refuses arguments that do not fit. When the schema cannot be checked in bounded time, the server checks them. */
async function refuseArguments(
  { run, arguments: input, definition }: ServerCall,
  id: string,
): Promise<FailedResult | null> {
  const check = await schemaChecksOf(run.workspaceId).checkForeign(definition.inputSchema, input);
  if ('problem' in check) return null;
  if ('refusal' in check) {
    const message = `The "args" of ${id} cannot be checked against its schema: ${check.refusal}. Send less data.`;
    return failedResult('INVALID_TOOL_ARGUMENTS', message);
  }
  if (check.fields.length === 0) return null;
  const message = `The "args" of ${id} do not fit its schema. Correct them and call it again.`;
  return failedResult('INVALID_TOOL_ARGUMENTS', message, check.fields);
}
