import type { AgentVersion } from '../../domain/agent.ts';
import type { NamedConnection } from '../../domain/rules.ts';
import type { Tool, ToolOf } from '../../domain/tool.ts';
import { functionNameOf, runsAtClient } from './functions/function-registry.ts';
import { connectorOf, toGatewayId, type GatewayCall } from './mcp/mcp-target.ts';

/** The tools of an agent, with the servers that they lead to. */
export interface ToolBox extends Pick<AgentVersion, 'tools' | 'connectors'> {
  /** The stored connections that a call may lead to; undefined when they were not read. */
  connections?: readonly NamedConnection[] | undefined;
}

/** The place that a call leads to. Two tools with the same place call the same thing, whatever their names are. */
interface Place {
  type: 'connection' | 'server' | 'function' | 'client' | 'agent' | 'workflow' | 'knowledge_base';
  id: string;
  /** The names of the tool on its server. A provider has two: `slack_sendMessage` and `sendMessage`. */
  tools: string[];
}

/** Finds the place that a tool leads to; null for a gateway, and for a tool that leads nowhere. */
export function findPlace(tool: Tool, box: ToolBox): Place | null {
  if (tool.type === 'mcp') return findMcpPlace(tool, box);
  if (tool.type === 'function') return findFunctionPlace(tool);
  const { type, config } = tool;
  if (type === 'agent') return { type, id: config.agentId ?? '', tools: [''] };
  if (type === 'workflow') return { type, id: config.workflowId ?? '', tools: [''] };
  return { type, id: config.knowledgeBaseId ?? '', tools: [''] };
}

function findFunctionPlace(tool: ToolOf<'function'>): Place {
  if (runsAtClient(tool)) return { type: 'client', id: tool.name, tools: [''] };
  return { type: 'function', id: functionNameOf(tool), tools: [''] };
}

function findMcpPlace(tool: ToolOf<'mcp'>, { connectors }: ToolBox): Place | null {
  const { gateway, connectionId, provider, server, tool: remote = tool.name } = tool.config;
  if (gateway === true) return null;
  const connector = connectorOf(tool, connectors);
  const id = connector?.connectionId ?? connectionId;
  if (id === undefined) return server === undefined ? null : { type: 'server', id: server, tools: [remote] };
  return {
    type: 'connection',
    id: id.toLowerCase(),
    tools: toToolNames(remote, connector ? 'mcp' : provider),
  };
}

/** Finds the place of a call through the gateway. A name that no connector or connection has is a server's. */
export function findGatewayPlace({ server, tool }: GatewayCall, box: ToolBox): Place {
  const connector = box.connectors.find(({ name }) => name === server);
  const connection = connector ? undefined : box.connections?.find(({ name }) => name === server);
  const id = connector?.connectionId ?? connection?.id;
  if (id === undefined) return { type: 'server', id: server, tools: [tool] };
  return { type: 'connection', id: id.toLowerCase(), tools: toToolNames(tool, connection?.provider) };
}

function toToolNames(tool: string, provider: string | undefined): string[] {
  if (provider === undefined || provider === 'mcp') return [tool];
  const prefix = `${provider}_`;
  const operation = tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  return [...new Set([tool, operation, prefix + operation])];
}

/** Returns whether two places are the same. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  if (!one || one.type !== other?.type || one.id !== other.id) return false;
  return one.tools.some((tool) => other.tools.includes(tool));
}

/** The names of the server of a place, as rules may write them; none for what runs on no server. */
export function listServerNames(place: Place | null, { connectors, connections }: ToolBox): string[] {
  if (place?.type === 'server') return [place.id];
  if (place?.type !== 'connection') return [];
  const own = connectors.filter(({ connectionId }) => connectionId.toLowerCase() === place.id);
  const connection = connections?.find(({ id }) => id === place.id);
  const names = own.map(({ name }) => name);
  if (own.length === 0) names.push(place.id);
  // A connector of the agent keeps its name, also when another connection has it.
  if (connection && connectors.every(({ name }) => name !== connection.name)) names.push(connection.name);
  if (connection && connection.provider !== 'mcp') names.push(connection.provider);
  return [...new Set(names)];
}

/** All names `server:tool` of a place. */
export function listIds(place: Place | null, box: ToolBox): string[] {
  return listServerNames(place, box).flatMap((server) =>
    (place?.tools ?? []).map((tool) => toGatewayId({ server, tool })),
  );
}
