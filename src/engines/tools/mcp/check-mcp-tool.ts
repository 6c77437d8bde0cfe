import type { FieldError } from '../../../domain/errors.ts';
import type { ToolInputOf } from '../../../domain/tool.ts';
import { checkConnection } from '../check-connection.ts';
import type { CheckedTool, ToolLookups } from '../tool-type.ts';

/**
 * Checks where a tool of type `mcp` leads: to the servers of a gateway, over a connection or to a server of the
 * catalogue.
 * @throws HoldfastError `CONNECTION_ACCESS_DENIED` or `CONNECTION_NOT_ACTIVE`
 */
export async function checkMcpTool(
  tool: ToolInputOf<'mcp'>,
  lookups: ToolLookups,
): Promise<CheckedTool<'mcp'>> {
  return { tool, errors: await findErrors(tool.config, lookups) };
}

async function findErrors(
  { gateway, servers = [], connectionId, provider, connectorId, server = '' }: ToolInputOf<'mcp'>['config'],
  lookups: ToolLookups,
): Promise<FieldError[]> {
  if (gateway) return checkServers(lookups, servers);
  if (connectionId !== undefined) return checkConnection(lookups, { connectionId, provider, connectorId });
  const { mcpServers } = lookups;
  if (mcpServers === undefined || mcpServers.includes(server)) return [];
  return [{ field: 'config.server', message: `there is no server "${server}" in the catalogue` }];
}

async function checkServers(
  { findServerNames, mcpServers = [] }: ToolLookups,
  servers: string[],
): Promise<FieldError[]> {
  const known = await findServerNames(servers);
  return servers.flatMap((name, index) => {
    if (known.has(name) || mcpServers.includes(name)) return [];
    const message = `expected the name of a connector, a connection or a server of the catalogue, found "${name}"`;
    return [{ field: `config.servers.${index}`, message }];
  });
}
