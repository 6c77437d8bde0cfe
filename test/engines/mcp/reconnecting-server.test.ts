import { expect, it } from 'vitest';
import { startHttpServer } from '../../servers/http-server.ts';
import {
  catchInterruption,
  cleanups,
  openLoopbackConnection,
  openManager,
} from '../../labs/mcp-manager-lab.ts';

const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'reconnecting', version: '1' },
  },
  'tools/list': { tools: [] },
};

/** A server that ends the stream of a call before it answers, and says when the client may come back for the rest. */
async function startReconnectingServer(retryMs: number) {
  const resumed: unknown[] = [];
  let callId: number | undefined;
  const server = await startHttpServer((request, response, body) => {
    if (request.method === 'GET') {
      const lastEventId = request.headers['last-event-id'];
      if (lastEventId === undefined) return void response.writeHead(405).end();
      resumed.push(lastEventId);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const result = { content: [{ type: 'text', text: 'noted' }] };
      const message = JSON.stringify({ jsonrpc: '2.0', id: callId, result });
      return void response.end(`id: 2\nevent: message\ndata: ${message}\n\n`);
    }
    const { id, method = '' } = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call') {
      callId = id;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(`id: 1\nretry: ${retryMs}\ndata: \n\n`);
    }
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  cleanups.push(() => server.close());
  const manager = openManager({});
  const target = openLoopbackConnection({ endpoint: server.url });
  const call = (timeoutMs: number) => manager.callTool({ target, tool: 'note', arguments: {}, timeoutMs });
  return { call, resumed };
}

it('a stream is resumed after the time that the server asks for', async () => {
  const { call, resumed } = await startReconnectingServer(300);
  expect(await call(20_000)).toEqual({ status: 'succeeded', text: 'noted' });
  expect(resumed).toEqual(['1']);
});

it('a stream is not resumed before the server wants it, however long that is', async () => {
  const { call, resumed } = await startReconnectingServer(60_000);
  // A call that cannot wait for so long ends by its own timeout.
  expect(await catchInterruption(call(5_500))).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
  expect(resumed).toEqual([]);
});
