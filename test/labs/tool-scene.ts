import type { Agent } from '../../src/domain/agent.ts';
import type { Connection } from '../../src/domain/connection.ts';
import { toToolListing } from '../../src/engines/mcp/to-tool-definition.ts';
import { createToolQuarantine } from '../../src/modules/agents/tools/create-tool-quarantine.ts';
import { defineTool, startDefinitionServer } from '../servers/definition-server.ts';
import { startToolApi } from './tool-api.ts';

type Listed = Parameters<typeof toToolListing>[0];

/** A tool without a connection. */
export const calculate = {
  type: 'function',
  name: 'calculate',
  description: 'Calculates.',
  schema: { type: 'object' },
  config: { functionName: 'calculate' },
};

/** Opens an API, an MCP server with the tools `search`, `pay` and `send`, a connection to it and an agent. */
export async function openToolScene() {
  const [api, server] = await Promise.all([startToolApi(), startDefinitionServer([])]);
  let made = 0;

  async function reset(): Promise<{ connection: Connection; agent: Agent }> {
    server.tools = [
      defineTool('search', { annotations: { readOnlyHint: true } }),
      defineTool('pay', { annotations: { idempotentHint: true } }),
      defineTool('send'),
    ];
    made += 1;
    const connection = await api.connect({ name: `server ${made}`, endpoint: server.url });
    return { connection, agent: await api.createAgent() };
  }

  let current = await reset();

  return {
    api,
    server,
    get agent() {
      return current.agent;
    },
    get connection() {
      return current.connection;
    },
    /** Resets the tools of the server, and replaces the agent and the connection. */
    renew: async () => {
      current = await reset();
    },
    toMcpTool: (name: string, { config = {}, ...rest }: { config?: object; settings?: object } = {}) => ({
      type: 'mcp',
      name,
      description: `Does ${name}.`,
      schema: defineTool(name).inputSchema,
      config: { connectionId: current.connection.id, provider: 'mcp', ...config },
      ...rest,
    }),
    add: (tool: object, agentId = current.agent.id) =>
      api.call('POST', `/api/agents/${agentId}/tools`, { body: tool }),
    /** Compares a tool, or a tool behind a gateway, with the current definition of its server, as a call does. */
    checkPin: (tool: { id: string; name: string }, inner?: { name: string; target: string }) => {
      const remote = inner?.name ?? tool.name;
      const found = server.tools.filter(({ name }) => name === remote) as Listed;
      const [definition] = toToolListing(found).tools;
      if (!definition) throw new Error(`the server has no ${remote}`);
      return createToolQuarantine(api.database).check({
        workspaceId: api.workspaceId,
        agentId: current.agent.id,
        tool,
        definition,
        ...(inner ? { target: inner.target } : {}),
      });
    },
    close: () => Promise.all([api.stop(), server.close()]),
  };
}

export type ToolScene = Awaited<ReturnType<typeof openToolScene>>;
