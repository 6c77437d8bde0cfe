import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
  type InputRequiredResult,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { startHttpServer } from './http-server.ts';

/** A tool that may answer with the input that it needs before it continues. */
export type AskingTool = (
  call: ServerContext['mcpReq'],
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

/** An MCP server of the stateless revision 2026-07-28. */
export interface AskingServer {
  url: string;
  close: () => Promise<void>;
}

const codec = createRequestStateCodec({ key: new Uint8Array(32).fill(7) });

/** Returns what a tool needs, with a state that the server signs. */
export async function askFor(
  inputRequests: NonNullable<InputRequiredResult['inputRequests']>,
  state?: unknown,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests,
    ...(state === undefined ? {} : { requestState: await codec.mint(state) }),
  });
}

/** Starts a server of revision 2026-07-28 in this process, with tools that take no arguments. */
export async function startAskingServer(tools: Record<string, AskingTool>): Promise<AskingServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'asking', version: '1.0.0' },
        { requestState: { verify: (state, context) => codec.verify(state, context) } },
      );
      for (const [name, tool] of Object.entries(tools)) {
        server.registerTool(name, { description: name }, ({ mcpReq }) => tool(mcpReq));
      }
      return server;
    },
    { legacy: 'reject' },
  );
  const http = await startHttpServer(async (request, response, body) => {
    await send(await handler.fetch(toRequest(request, body)), response);
  });
  return {
    url: `${http.url}/mcp`,
    close: async () => {
      await handler.close();
      await http.close();
    },
  };
}

function toRequest(request: IncomingMessage, body: string): Request {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== '';
  return new Request(new URL(request.url ?? '/', 'http://127.0.0.1'), {
    method,
    headers,
    ...(hasBody ? { body } : {}),
  });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) {
    for await (const chunk of answer.body) {
      if (!response.write(chunk)) await once(response, 'drain');
    }
  }
  response.end();
}
