import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { startStreamingServer } from '../../servers/http-server.ts';
import { cleanups, eventually, openLoopbackConnection, openManager } from '../../labs/mcp-manager-lab.ts';

const revision = '2026-07-28';
const subscription = 'io.modelcontextprotocol/subscriptionId';

interface Subscribed {
  id: number | string;
  response: ServerResponse;
}

/** A server of the stateless revision whose tools may change; the test decides what becomes of a subscription. */
async function startChangingServer(onListen: (subscribed: Subscribed) => void) {
  const state = { tool: 'first', clientInfo: undefined as unknown };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const { id, method, params } = JSON.parse(text) as {
      id?: number | string;
      method: string;
      params?: { _meta?: Record<string, unknown> };
    };
    state.clientInfo = params?._meta?.['io.modelcontextprotocol/clientInfo'];
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'subscriptions/listen') {
      onListen({ id, response });
      return;
    }
    const result = {
      resultType: 'complete',
      supportedVersions: [revision],
      capabilities: { tools: { listChanged: true } },
      tools: [{ name: state.tool, inputSchema: { type: 'object' } }],
      ...{ ttlMs: 0, cacheScope: 'private' },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const server = await startStreamingServer(handle);
  cleanups.push(server.close);
  // Longer than the test may take.
  const manager = openManager({}, { connectTimeoutMs: 300_000 });
  const target = openLoopbackConnection({ endpoint: server.url });
  const list = async () => {
    const tools = await manager.listTools(target, { maxAgeMs: Infinity, timeoutMs: 300_000 });
    return tools.map(({ name }) => name);
  };
  return { list, state };
}

it('tools are listed although the server never acknowledges the subscription to their changes', async () => {
  let listened = 0;
  const { list } = await startChangingServer(() => (listened += 1));
  expect(await list()).toEqual(['first']);
  await eventually(() => listened === 1);
});

it('tools are listed again when the server says over the subscription that they changed', async () => {
  let subscribed: Subscribed | undefined;
  const { list, state } = await startChangingServer((given) => (subscribed = given));
  expect(await list()).toEqual(['first']);
  await eventually(() => subscribed !== undefined);
  const { id, response } = subscribed as unknown as Subscribed;
  const send = (method: string, params: object) => {
    const message = { jsonrpc: '2.0', method, params: { _meta: { [subscription]: String(id) }, ...params } };
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } });
  state.tool = 'second';
  send('notifications/tools/list_changed', {});
  await eventually(async () => (await list())[0] === 'second');
});

it('servers are told the version of the client', async () => {
  const { list, state } = await startChangingServer(() => undefined);
  await list();
  expect(state.clientInfo).toEqual({ name: 'holdfast', version: '1.2.3' });
});
