import type { ToolOf } from '../../../domain/tool.ts';
import { listServerNames, type Place, type ToolBox } from '../place.ts';
import { connectorOf, toGatewayId, type GatewayCall } from './mcp-target.ts';

/** Finds the place that a tool of type `mcp` leads to; null for a gateway, and for a tool that leads nowhere. */
export function findMcpPlace(tool: ToolOf<'mcp'>, { connectors }: Pick<ToolBox, 'connectors'>): Place | null {
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

/** All names `server:tool` of a place. */
export function listIds(place: Place | null, box: ToolBox): string[] {
  return listServerNames(place, box).flatMap((server) =>
    (place?.tools ?? []).map((tool) => toGatewayId({ server, tool })),
  );
}
