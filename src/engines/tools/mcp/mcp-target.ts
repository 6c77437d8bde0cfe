import { resolveConnector, type AttachedConnector } from '../../../domain/connector.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Place, Tool, ToolInput, ToolInputOf } from '../../../domain/tool.ts';

/** The tool behind a call of the gateway. */
export interface GatewayCall {
  server: string;
  tool: string;
}

/** Whether a tool is the gateway through which all tools of an agent's servers are listed and called. */
export function isGateway(tool: Pick<Tool, 'type' | 'config'>): boolean {
  return tool.type === 'mcp' && 'gateway' in tool.config && tool.config.gateway === true;
}

/** The id of the connector that a tool was provisioned from. */
export function connectorIdOf(tool: ToolInput): string | undefined {
  return tool.type === 'mcp' ? tool.config.connectorId : undefined;
}

/** The name of a tool on its server. */
export function remoteNameOf(tool: ToolInput): string {
  return tool.type === 'mcp' ? (tool.config.tool ?? tool.name) : tool.name;
}

/** The key of a tool among those that connectors offer: of its connector, and its name on the server. */
export function toConnectorKey(tool: ToolInput): string {
  return toGatewayId({ server: connectorIdOf(tool) ?? '', tool: remoteNameOf(tool) });
}

/** The name of a tool behind the gateway in rules, in the ledger and in lists. */
export function toGatewayId({ server, tool }: GatewayCall): string {
  return `${server}:${tool}`;
}

/**
 * The tool that a call of the gateway is for. `tool` may be a whole id, `server:tool`, when no server is named.
 * Null for anything but a call of one tool. Rules and the gateway itself both read a call by this.
 */
export function findGatewayCall(toolArguments: JsonObject): GatewayCall | null {
  const { action, server, tool } = toolArguments;
  if (action !== 'call' || typeof tool !== 'string') return null;
  if (typeof server === 'string') return { server, tool };
  if (server !== undefined) return null;
  const colon = tool.indexOf(':');
  return colon > 0 ? { server: tool.slice(0, colon), tool: tool.slice(colon + 1) } : null;
}

type McpTool = Pick<ToolInputOf<'mcp'>, 'name' | 'config'>;

/** The connector that a tool of type `mcp` leads to: the one it names, else the one that claims its name. */
export function connectorOf(
  { name, config }: McpTool,
  connectors: AttachedConnector[],
): AttachedConnector | undefined {
  if (config.connectorId !== undefined) return connectors.find(({ id }) => id === config.connectorId);
  const leadsElsewhere = config.connectionId ?? config.provider ?? config.server;
  return leadsElsewhere === undefined ? resolveConnector(connectors, config.tool ?? name) : undefined;
}

/** Finds the name of the server that a tool of type `mcp` leads to; null for a gateway. */
export function findMcpServer(tool: McpTool, connectors: AttachedConnector[]): string | null {
  const { gateway, connectorId, connectionId, provider, server } = tool.config;
  if (gateway === true) return null;
  const connection = provider === 'mcp' ? connectionId : provider;
  return connectorOf(tool, connectors)?.name ?? connection ?? server ?? connectionId ?? connectorId ?? null;
}

/** Finds the place that a tool of type `mcp` leads to; null for a gateway, and for a tool that leads nowhere. */
export function findMcpPlace(tool: McpTool, connectors: AttachedConnector[]): Place | null {
  const { gateway, connectionId, provider, server, tool: remote = tool.name } = tool.config;
  if (gateway === true) return null;
  const connector = connectorOf(tool, connectors);
  const id = connector?.connectionId ?? connectionId;
  if (id !== undefined) return toConnectionPlace(remote, { id, provider: connector ? 'mcp' : provider });
  return server === undefined ? null : toServerPlace(remote, server);
}

/** Returns the place of a tool of a server of the catalogue, or of one that no connector or connection has the name of. */
export function toServerPlace(tool: string, server: string): Place {
  return { type: 'server', id: server, tools: [tool] };
}

/** Returns the place of a tool over a connection. */
export function toConnectionPlace(
  tool: string,
  { id, provider = 'mcp' }: { id: string; provider?: string | undefined },
): Place {
  const prefix = `${provider}_`;
  const operation = tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  const tools = provider === 'mcp' ? [tool] : [...new Set([tool, operation, prefix + operation])];
  return { type: 'connection', id: id.toLowerCase(), tools };
}

/** Returns whether two places are the same. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  if (!one || one.type !== other?.type || one.id !== other.id) return false;
  return one.tools.some((tool) => other.tools.includes(tool));
}
