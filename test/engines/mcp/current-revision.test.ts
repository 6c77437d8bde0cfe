import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { McpToolCall } from '../../../src/engines/mcp/call-tool.ts';
import { startHttpServer, startStreamingServer } from '../../servers/http-server.ts';
import { httpEntry } from '../../servers/mcp-servers.ts';
import { containing } from '../../labs/matchers.ts';
import { cleanups, eventually, catchInterruption, openManager } from '../../labs/mcp-manager-lab.ts';

interface RpcRequest {
  id: number;
  method: string;
  params: { name: string; _meta: Record<string, unknown> };
}

const regionSchema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
};

const revision = '2026-07-28';

/** Answers the way a server of the stateless revision does: no session, one response stream a request. */
async function startStatelessServer(answerTool: (request: RpcRequest, response: ServerResponse) => void) {
  const methods: string[] = [];
  const regions: unknown[] = [];
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const request = JSON.parse(text) as RpcRequest;
    methods.push(request.method);
    if (request.method === 'tools/call') {
      regions.push(incoming.headers['mcp-param-region']);
      answerTool(request, response);
      return;
    }
    const outputSchema = { type: 'object' };
    const tools = [{ name: 'note', inputSchema: regionSchema, outputSchema }];
    const discovered = {
      tools,
      resultType: 'complete',
      supportedVersions: [revision],
      capabilities: { tools: {} },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    const result = { ...discovered, ttlMs: 0, cacheScope: 'private' };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
  };
  const server = await startStreamingServer(handle);
  cleanups.push(server.close);
  const url = `${server.url}/mcp`;
  const manager = openManager({ stateless: httpEntry(url) });
  const target = { server: 'stateless' };
  const call = (more: Partial<McpToolCall> = {}) =>
    manager.callTool({ target, tool: 'note', arguments: {}, idempotencyKey: 'key-1', ...more });
  return { call, methods, regions, list: () => manager.listTools(target) };
}

function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return response;
}

function sendEvent(response: ServerResponse, message: unknown): void {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

describe('a server of the stateless revision', () => {
  it('is called without a handshake, and gets the key', async () => {
    let meta: Record<string, unknown> = {};
    const { call, methods } = await startStatelessServer((request, response) => {
      meta = request.params._meta;
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'noted' }] };
      sendEvent(openStream(response), { jsonrpc: '2.0', id: request.id, result });
      response.end();
    });
    expect(await call()).toEqual({ status: 'succeeded', text: 'noted' });
    expect(methods).toEqual(['server/discover', 'tools/call']);
    expect(meta['holdfast/idempotencyKey']).toBe('key-1');
  });

  it('lists its tools, and gets the headers that their schemas ask for', async () => {
    const { call, list, methods, regions } = await startStatelessServer((request, response) => {
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'noted' }] };
      sendEvent(openStream(response), { jsonrpc: '2.0', id: request.id, result });
      response.end();
    });
    expect(await list()).toEqual([
      { name: 'note', description: '', inputSchema: regionSchema, outputSchema: { type: 'object' } },
    ]);
    // The tool declares an output schema and returns no output; `src/engines/tools` reports that, not `src/engines/mcp`.
    expect(await call({ arguments: { region: 'eu' } })).toEqual({ status: 'succeeded', text: 'noted' });
    expect(methods).toEqual(['server/discover', 'tools/list', 'tools/call']);
    expect(regions).toEqual(['eu']);
  });

  it('leaves the outcome unknown when its answer has no resultType', async () => {
    const { call } = await startStatelessServer((request, response) => {
      const result = { content: [{ type: 'text', text: 'noted' }] };
      sendEvent(openStream(response), { jsonrpc: '2.0', id: request.id, result });
      response.end();
    });
    expect(await catchInterruption(call())).toMatchObject({ sent: true, retryable: false });
  });

  it('leaves the outcome unknown when its stream ends without an answer', async () => {
    const { call } = await startStatelessServer((_request, response) => openStream(response).end());
    expect(await catchInterruption(call())).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  it('leaves the outcome unknown when its stream breaks', async () => {
    const { call } = await startStatelessServer((_request, response) => {
      openStream(response).write(': hello\n\n', () => response.destroy());
    });
    expect(await catchInterruption(call())).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  it('has the stream of a call closed when the call times out', async () => {
    let closed = false;
    const { call } = await startStatelessServer((_request, response) => {
      openStream(response).on('close', () => (closed = true));
    });
    expect(await catchInterruption(call({ timeoutMs: 200 }))).toMatchObject({
      code: 'TOOL_TIMED_OUT',
      sent: true,
    });
    await eventually(() => closed);
  });

  it('returns errors whose code and data are kept', async () => {
    const { call } = await startStatelessServer((request, response) => {
      const error = { code: -32_602, message: 'no such tool', data: { known: ['a'] } };
      sendEvent(openStream(response), { jsonrpc: '2.0', id: request.id, error });
      response.end();
    });
    const details = { jsonRpcCode: -32_602, data: { known: ['a'] } };
    expect(await call()).toEqual({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: 'no such tool', details },
    });
  });

  it.each([
    [401, { status: 'failed' }],
    [403, { status: 'failed' }],
    [422, { status: 'failed' }],
  ])('fails the call for sure when it answers HTTP %i', async (status, outcome) => {
    const { call } = await startStatelessServer((_request, response) => response.writeHead(status).end());
    expect(await call()).toMatchObject({ ...outcome, error: { code: 'TOOL_FAILED', details: { status } } });
  });

  it.each([
    ['Access is only allowed at localhost:27502', 'Access is only allowed at localhost:27502'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"not from here"}}', 'not from here'],
    ['{"error":"access_denied","error_description":"Ask Ann"}', 'Ask Ann'],
    ['{"title":"Forbidden","detail":"The trial has ended."}', 'The trial has ended.'],
    ['<!doctype html><head><title>Blocked\n by the proxy</title></head>', 'Blocked by the proxy'],
    ['"no"', 'no'],
  ])('has its own words about a refusal passed on: %s', async (body, said) => {
    const { call } = await startStatelessServer((_request, response) => response.writeHead(403).end(body));
    const message = `The MCP server "stateless" answered with HTTP 403: ${said}`;
    expect(await call()).toMatchObject({ status: 'failed', error: { message, details: { status: 403 } } });
  });

  it.each(['', '{}', '[1, 2', '<p>No.</p>'])(
    'that refuses without words (%s) denies access',
    async (body) => {
      const { call } = await startStatelessServer((_request, response) => response.writeHead(403).end(body));
      const message = 'The MCP server "stateless" answered with HTTP 403. It denies access.';
      expect(await call()).toMatchObject({ status: 'failed', error: { message } });
    },
  );

  it('has its own words passed on when it refuses the connection, and when it fails', async () => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(403).end('Access is only allowed at localhost:27502');
    });
    cleanups.push(() => server.close());
    const manager = openManager({ own: httpEntry(server.url) });
    const target = { server: 'own' };
    const said = containing('HTTP 403: Access is only allowed at localhost:27502');
    expect(await manager.callTool({ target, tool: 'note', arguments: {} })).toMatchObject({
      status: 'failed',
      error: { message: said },
    });
    await expect(manager.listTools(target)).rejects.toMatchObject({ message: said });
    const failing = await startStatelessServer((_request, response) =>
      response.writeHead(503).end('{"message":"down for an hour"}'),
    );
    expect(await catchInterruption(failing.call())).toMatchObject({
      message: containing('HTTP 503: down for an hour'),
    });
  });

  it.each([
    [429, false],
    [408, true],
    [500, true],
    [503, true],
  ])('fails the call in a way that can be retried after HTTP %i (sent: %s)', async (status, sent) => {
    const { call } = await startStatelessServer((_request, response) => response.writeHead(status).end());
    expect(await catchInterruption(call())).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent,
      retryable: true,
    });
  });
});
