import { resolveConnector, type AttachedConnector } from '../../../domain/connector.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Tool, ToolInput, ToolInputOf } from '../../../domain/tool.ts';
import type { ToolTarget } from '../tool-type.ts';

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

/** The connector that a tool of type `mcp` leads to: the one it names, else the one that claims its name. */
export function connectorOf(
  { name, config }: Pick<ToolInputOf<'mcp'>, 'name' | 'config'>,
  connectors: AttachedConnector[],
): AttachedConnector | undefined {
  if (config.connectorId !== undefined) return connectors.find(({ id }) => id === config.connectorId);
  const leadsElsewhere = config.connectionId ?? config.provider ?? config.server;
  return leadsElsewhere === undefined ? resolveConnector(connectors, config.tool ?? name) : undefined;
}

function targetOfGateway(toolArguments: JsonObject): ToolTarget {
  const call = findGatewayCall(toolArguments);
  if (call) return { connector: call.server, target: toGatewayId(call) };
  const { server } = toolArguments;
  return { connector: typeof server === 'string' ? server : null, target: null };
}

/** Finds the server that a call of a tool of type `mcp` goes to. */
export function mcpTargetOf(
  tool: Pick<ToolInputOf<'mcp'>, 'name' | 'config'>,
  toolArguments: JsonObject,
  connectors: AttachedConnector[],
): ToolTarget {
  const { config } = tool;
  if (config.gateway === true) return targetOfGateway(toolArguments);
  const connection = config.provider === 'mcp' ? config.connectionId : config.provider;
  const connector = connectorOf(tool, connectors)?.name ?? connection ?? config.server ?? config.connectionId;
  return { connector: connector ?? config.connectorId ?? null, target: null };
}
