import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer, type HttpServer } from './http-server.ts';

interface RpcRequest {
  id?: number | string;
  method?: string;
}

/**
 * Starts a server that repeats each request in its answer: an MCP server at `/mcp` whose tool answers with its own
 * request, a model at `/v1` that refuses with it, and at every other path an API that fails with it.
 * It answers a request with an expired token with 401.
 */
export function startMirrorServer(isEnded: (token: string) => boolean): Promise<HttpServer> {
  return startHttpServer((request, response, body) => {
    const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
    if (isEnded(token)) {
      response.writeHead(401).end();
      return;
    }
    const seen = JSON.stringify({ url: request.url, headers: request.headers, body });
    if (request.url?.startsWith('/mcp')) answerRpc(request, response, { body, seen });
    else
      send(response, request.url?.startsWith('/v1') ? 401 : 422, { error: { message: seen }, message: seen });
  });
}

function answerRpc(
  request: IncomingMessage,
  response: ServerResponse,
  { body, seen }: { body: string; seen: string },
): void {
  const { id, method = '' } = JSON.parse(body === '' ? '{}' : body) as RpcRequest;
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (id === undefined) response.writeHead(202).end();
  else send(response, 200, { jsonrpc: '2.0', id, ...toAnswer(method, seen) });
}

function toAnswer(method: string, seen: string): object {
  const serverInfo = { name: 'mirror', version: '1.0.0' };
  const inputSchema = { type: 'object', properties: {} };
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    'tools/list': {
      tools: ['say_back', 'refuse', 'break'].map((name) => ({ name, description: name, inputSchema })),
    },
  };
  const known = results[method];
  if (known) return { result: known };
  if (method !== 'tools/call') return { error: { code: -32601, message: seen } };
  const content = [{ type: 'text', text: seen }];
  const encoded = Buffer.from(seen).toString('base64');
  return { result: { content: [...content, { type: 'text', text: encoded }], structuredContent: { seen } } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
