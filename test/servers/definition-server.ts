import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';

/** An MCP server whose list of tools a test may change at any time. */
export interface DefinitionServer {
  url: string;
  tools: Tool[];
  /** The `Authorization` headers of its requests. */
  credentials: Set<string | undefined>;
  /** The names of the tools that were called. */
  called: string[];
  /** While it is true, requests stay without an answer. */
  silent: boolean;
  close: () => Promise<void>;
}

/** A definition with an object of text fields. */
export function defineTool(name: string, parts: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    ...parts,
  };
}

/** Starts a server over Streamable HTTP that keeps no sessions. */
export async function startDefinitionServer(tools: Tool[]): Promise<DefinitionServer> {
  const http = createServer((request, response) => {
    handle(state, request, response).catch(() => response.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const state: DefinitionServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools,
    credentials: new Set(),
    called: [],
    silent: false,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return state;
}

async function handle(state: DefinitionServer, request: IncomingMessage, response: ServerResponse) {
  state.credentials.add(request.headers.authorization);
  if (state.silent) return;
  const { server } = new McpServer(
    { name: 'definitions', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: state.tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    state.called.push(params.name);
    return { content: [{ type: 'text', text: 'done' }] };
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}
