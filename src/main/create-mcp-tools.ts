import type { Services } from './create-services.ts';
import { createToolPins } from '../agents/create-tool-pins.ts';
import type { Database } from '../db/connect-database.ts';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { limitMcpCalls } from '../mcp/limit-mcp-calls.ts';
import type { McpToolDependencies } from '../tools/mcp/call-remote-tool.ts';

type McpServices = Pick<
  Services,
  'mcp' | 'router' | 'providers' | 'connectionAccess' | 'blobs' | 'rateLimiter'
>;

/** Wires what tools of type `mcp` run with. */
export function createMcpTools(database: Database, services: McpServices): McpToolDependencies {
  const { mcp, router, providers, connectionAccess, blobs, rateLimiter } = services;
  return {
    mcp: { ...mcp, callTool: limitMcpCalls(mcp.callTool, rateLimiter) },
    blobs,
    connections: connectionAccess,
    executeProviderTool: router.executeMCPTool,
    providers,
    pins: createToolPins(database),
    findConnectionByName: (workspaceId, name) =>
      database.inWorkspace(workspaceId, (trx) => createConnectionRepository(trx).findConnectionId(name)),
  };
}
