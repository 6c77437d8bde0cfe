import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../../servers/http-server.ts';
import { cleanups, openLoopbackConnection, eventually, openManager } from '../../labs/mcp-manager-lab.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface RestlessParts {
  /** Handles the stream of a call after its answer was written. */
  afterAnswer?: Answer;
  /** Handles the stream for the server's own messages. */
  onListen?: Answer;
}

const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'restless', version: '1' },
  },
  'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'noted' }] },
};

/** Starts a server with correct answers and misbehaving streams. */
async function restlessScene({ afterAnswer, onListen }: RestlessParts) {
  const answer = (response: ServerResponse, request: IncomingMessage, body: string): void => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = results[method];
    const message = JSON.stringify({
      ...{ jsonrpc: '2.0', id },
      ...(result ? { result } : { error: { code: -32_601, message: 'Method not found' } }),
    });
    if (method !== 'tools/call') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(message);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: message\ndata: ${message}\n\n`);
    if (afterAnswer) afterAnswer(response, request);
    else response.end();
  };
  const server = await startHttpServer((request, response, body) => {
    if (request.method === 'POST') answer(response, request, body);
    else if (request.method === 'GET' && onListen) onListen(response, request);
    else response.writeHead(request.method === 'GET' ? 405 : 200).end();
  });
  cleanups.push(() => server.close());
  const manager = openManager({});
  const target = openLoopbackConnection({ endpoint: server.url });
  return { call: () => manager.callTool({ target, tool: 'note', arguments: {} }) };
}

const noted = { status: 'succeeded', text: 'noted' };

describe('a server that keeps the stream of a call open after its answer', () => {
  it('leaves no socket open, for any number of calls', async () => {
    let open = 0;
    const scene = await restlessScene({
      afterAnswer: (response) => {
        open += 1;
        response.once('close', () => (open -= 1));
      },
    });
    const answers = await Promise.all(Array.from({ length: 6 }, scene.call));
    expect(answers).toEqual(answers.map(() => noted));
    await eventually(() => open === 0);
    expect(await scene.call()).toEqual(noted);
  });
});

describe('a server that ends its notification stream at once and asks for a reconnect', () => {
  it('gets few new requests for that stream', async () => {
    let streams = 0;
    const scene = await restlessScene({
      onListen: (response) => {
        streams += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata: \n\n');
      },
    });
    expect(await scene.call()).toEqual(noted);
    await sleep(1_000);
    expect(streams).toBeGreaterThan(0);
    expect(streams).toBeLessThan(10);
  });
});
