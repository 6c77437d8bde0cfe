import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { startStreamingServer } from './http-server.ts';

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
  const server = await startStreamingServer((request, response) => handle(state, request, response));
  const state: DefinitionServer = {
    url: `${server.url}/mcp`,
    tools,
    credentials: new Set(),
    called: [],
    silent: false,
    close: server.close,
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
