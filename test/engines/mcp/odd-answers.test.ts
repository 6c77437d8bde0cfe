import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import type { LeftOutTool } from '../../../src/domain/discovered-tool.ts';
import { cleanups, openManager } from '../../labs/mcp-manager-lab.ts';
import { containing } from '../../labs/matchers.ts';
import { startHttpServer } from '../../servers/http-server.ts';
import { httpEntry } from '../../servers/mcp-servers.ts';

const revisions = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];

/** Starts a server that answers with JSON as it is given, which no SDK checks. */
async function startRawServer(revision: Revision) {
  const answers = { tools: [] as JsonValue[], list: {} as JsonObject, called: {} as JsonObject };
  const streams = new Set<ServerResponse>();
  const isModern = revision === '2026-07-28';
  const results: Record<string, () => JsonObject> = {
    'server/discover': () => ({ supportedVersions: [revision], capabilities: { tools: {} } }),
    initialize: () => ({
      protocolVersion: revision,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'raw', version: '1' },
    }),
    'tools/list': () => ({ tools: answers.tools, ...answers.list }),
    'tools/call': () => answers.called,
  };
  const server = await startHttpServer((incoming, response, body) => {
    if (incoming.method === 'GET') {
      streams.add(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.flushHeaders();
      return;
    }
    if (incoming.method === 'DELETE') return void response.end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = !isModern && method === 'server/discover' ? undefined : results[method]?.();
    const error = { code: -32_601, message: 'Method not found' };
    const answer = result
      ? { result: { ...(isModern && { resultType: 'complete' }), ...result } }
      : { error };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  cleanups.push(server.close);
  const manager = openManager({ raw: httpEntry(`${server.url}/mcp`) });
  const target = { server: 'raw' };
  return {
    answers,
    announce: () => {
      const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      for (const stream of streams) stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    watchers: () => streams.size,
    call: () => manager.callTool({ target, tool: 'note', arguments: {} }),
    list: async (maxAgeMs = 0) => {
      const leftOut: LeftOutTool[] = [];
      const tools = await manager.listTools(target, { maxAgeMs, onLeftOut: (all) => leftOut.push(...all) });
      return { names: tools.map(({ name }) => name), tools, leftOut };
    },
  };
}

const inputSchema = { type: 'object' };
const good = { name: 'good', description: 'Works.', inputSchema };
const invalid: [string, JsonValue, string][] = [
  ['no object', 'broken', 'tools[1]'],
  ['no name', { inputSchema }, 'tools[1]'],
  ['no schema', { name: 'bad' }, 'bad'],
  ['a schema of a text', { name: 'bad', inputSchema: { type: 'string' } }, 'bad'],
  ['a schema without a type', { name: 'bad', inputSchema: {} }, 'bad'],
  ['properties as a list', { name: 'bad', inputSchema: { type: 'object', properties: [] } }, 'bad'],
  ['a description that is a list', { name: 'bad', description: ['a'], inputSchema }, 'bad'],
  ['a hint as a text', { name: 'bad', inputSchema, annotations: { destructiveHint: 'yes' } }, 'bad'],
];

describe.each(revisions)('a list of tools of revision %s', (revision) => {
  it.each(invalid)('loses only a definition with %s, and names it', async (_what, tool, name) => {
    const { answers, list } = await startRawServer(revision);
    answers.tools = [good, tool, { ...good, name: 'better' }];
    expect(await list()).toMatchObject({
      names: ['good', 'better'],
      leftOut: [{ name, reason: expect.any(String) as string }],
    });
  });

  it.each([
    [
      'nulls',
      { title: null, description: null, outputSchema: null, annotations: null, icons: null, _meta: null },
    ],
    ['icons that are no icons', { icons: ['x'], title: 7 }],
    ['an output schema that is a text', { outputSchema: 'any' }],
  ])('keeps a definition with %s', async (_what, parts) => {
    const { answers, list } = await startRawServer(revision);
    answers.tools = [{ name: 'good', inputSchema, ...parts }];
    answers.list = { nextCursor: null, ttlMs: '60' };
    expect(await list()).toMatchObject({
      tools: [{ name: 'good', description: '', inputSchema }],
      leftOut: [],
    });
  });
});

it('names definitions that are nested too deep, and the second of two with one name', async () => {
  const { answers, list } = await startRawServer('2025-11-25');
  let deep: JsonObject = inputSchema;
  for (let level = 0; level < 100; level += 1) deep = { type: 'object', properties: { in: deep } };
  answers.tools = [good, good, { name: 'deep', inputSchema: deep }];
  expect(await list()).toMatchObject({
    names: ['good'],
    leftOut: [
      { name: 'good', reason: 'another tool has this name' },
      { name: 'deep', reason: containing('nested more than 64 levels') },
    ],
  });
});

it('keeps the good tools of a list that changes to one with an invalid definition', async () => {
  const server = await startRawServer('2025-11-25');
  server.answers.tools = [good];
  expect((await server.list()).names).toEqual(['good']);
  await expect.poll(server.watchers).toBeGreaterThan(0);
  server.answers.tools = [good, { name: 'bad' }];
  server.announce();
  await expect.poll(async () => (await server.list(60_000)).leftOut.map(({ name }) => name)).toEqual(['bad']);
  expect((await server.list(60_000)).names).toEqual(['good']);
});

describe.each(revisions)('the result of a call of revision %s', (revision) => {
  it.each([
    [
      'a part of an unknown type',
      { type: 'hologram' },
      'one\n[A part of the result is left out: it is no valid part of type "hologram".]\ntwo',
    ],
    ['a part that is no object', 'loose', 'one\n[A part of the result is left out: it is no object.]\ntwo'],
    [
      'a text that is a number',
      { type: 'text', text: 7 },
      'one\n[A part of the result is left out: it is no valid part of type "text".]\ntwo',
    ],
    ['annotations that are null', { type: 'text', text: 'x', annotations: null, _meta: null }, 'one\nx\ntwo'],
    ['annotations that are not valid', { type: 'text', text: 'x', annotations: 'high' }, 'one\nx\ntwo'],
    [
      'a resource with nulls',
      { type: 'resource', resource: { uri: 'a:b', text: 'x', mimeType: null } },
      'one\n[resource a:b]\nx\ntwo',
    ],
  ])('keeps the other parts beside %s', async (_what, part: JsonValue, text) => {
    const { answers, call } = await startRawServer(revision);
    const content = [{ type: 'text', text: 'one' }, part, { type: 'text', text: 'two' }];
    answers.called = { content, structuredContent: null, isError: null };
    const result = await call();
    expect(result).toMatchObject({ status: 'succeeded', text });
    expect(
      'content' in result && isJsonObject(result.content) && result.content.structuredContent,
    ).toBeFalsy();
  });
});
