import { z } from 'zod';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { discoveredToolSchema, leftOutToolSchema } from '../../domain/discovered-tool.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams } from '../../platform/http/schemas.ts';

const route = routesOf<Pick<ConnectionDependencies, 'discovery'>>();

const listConnectionTools = route({
  method: 'GET',
  path: '/api/connections/:id/mcp-tools',
  operationId: 'listConnectionTools',
  clientName: 'connections.tools',
  summary: 'List the tools of a connection',
  description: 'Lists the operations of its provider, or the tools that its MCP server lists now.',
  tag: 'connections',
  right: 'connections.read',
  params: idParams,
  answers: {
    200: z.object({
      connectionId: z.string(),
      connectionName: z.string(),
      provider: z.string(),
      tools: z.array(discoveredToolSchema),
      leftOut: z.array(leftOutToolSchema).describe('The tools whose definitions cannot be used'),
    }),
  },
  errors: [
    'CONNECTION_ACCESS_DENIED',
    'CONNECTION_NOT_ACTIVE',
    'EGRESS_REFUSED',
    'SECRETS_UNAVAILABLE',
    'TOOL_MISCONFIGURED',
    'TOOL_TIMED_OUT',
    'TOOL_UNAVAILABLE',
    'TOOL_UNREACHABLE',
  ],
  handler: async ({ params, actor, dependencies: { discovery } }) => {
    const { workspaceId } = actor;
    const request = { workspaceId, connectionId: params.id };
    const listed = await discovery.listConnectionTools(request);
    const { connectionId, connectionName, provider, tools, leftOut } = listed;
    return { status: 200, data: { connectionId, connectionName, provider, tools, leftOut } };
  },
});

/** The endpoints of the tools of a connection. */
export const connectionToolRoutes = [listConnectionTools];
