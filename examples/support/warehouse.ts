import { createServer, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const stock = new Map([
  ['kettle', 12],
  ['espresso machine', 0],
]);

function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'warehouse', version: '1.0.0' });
  const tool = {
    description: 'Tells how many pieces of an item are in stock.',
    inputSchema: { item: z.string() },
    annotations: { readOnlyHint: true },
  };
  server.registerTool('stock', tool, ({ item }) => ({
    content: [{ type: 'text', text: `${stock.get(item) ?? 0} pieces of "${item}" are in stock.` }],
  }));
  return server;
}

/** Starts the MCP server of the warehouse; it keeps no sessions. */
export async function startWarehouse(port: number): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => void transport.close());
    await createMcpServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  return { url: `http://127.0.0.1:${bound}/mcp`, server };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await startWarehouse(Number(process.env['WAREHOUSE_PORT'] ?? 4700));
  console.log(`The warehouse answers at ${url}.`);
}
