import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { Tool, ToolRun } from '../../../src/domain/tool.ts';
import { createGuardedFetch } from '../../../src/platform/egress/guarded-fetch.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';
import { createToolRunner } from '../../../src/engines/tools/run-tool.ts';
import { createEffectOf } from '../../../src/engines/tools/tool-effect.ts';
import { checkToolSchema } from '../../../src/engines/tools/json-schema/tool-arguments.ts';
import { startStreamingServer } from '../../servers/http-server.ts';
import { findFreePort } from '../../servers/mcp-servers.ts';
import { containing, matching, notContaining } from '../../labs/matchers.ts';
import { createMcpScene } from '../../labs/mcp-scene.ts';
import { toolboxOf } from '../../../src/engines/tools/toolbox.ts';

const functions = createFunctionRegistry();
const effectOf = createEffectOf({ functions });
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function toolOf(parts: Partial<Tool>): Tool {
  const tool = {
    id: 'tool-1',
    name: 'current_time',
    description: '',
    type: 'function',
    schema: { type: 'object' },
    config: {},
    ...parts,
  };
  return tool as Tool;
}

function runOf(tool: Partial<Tool>, toolArguments: JsonObject = {}, parts: Partial<ToolRun> = {}): ToolRun {
  return {
    workspaceId: 'workspace-1',
    agentId: 'agent-1',
    toolbox: toolboxOf({ tools: [], connectors: [] }),
    conversationId: 'conversation-1',
    turnId: 'turn-1',
    toolCallId: 'call-1',
    tool: toolOf(tool),
    arguments: toolArguments,
    idempotencyKey: 'key-1',
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...parts,
  };
}

/** Creates the runner of tools, without any MCP server. */
function createRunner() {
  const fetch = createGuardedFetch({ allowLoopback: true, headersTimeoutMs: 5_000 });
  cleanups.push(() => fetch.close());
  const mcp = createMcpScene().dependencies;
  const now = () => new Date('2026-07-01T12:00:00Z');
  const knowledge = { search: () => Promise.resolve({ results: [], notice: null }) };
  return { run: createToolRunner({ fetch, mcp, functions, knowledge, now }) };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = await startStreamingServer(listener);
  cleanups.push(server.close);
  return server.url;
}

describe('the built-in functions', () => {
  it.each(functions.list())('have a complete definition: $name', ({ name, description, schema }) => {
    expect(functions.find(name)?.name).toBe(name);
    expect(description).not.toBe('');
    expect(checkToolSchema(schema)).toBeNull();
  });

  it('are found by their own names only', () => {
    expect(functions.find('constructor')).toBeUndefined();
    expect(functions.find('toString')).toBeUndefined();
  });
});

describe('a tool of type function', () => {
  it.each([
    [{}, 'Wednesday 2026-07-01T12:00:00+00:00 (UTC)'],
    [{ timeZone: 'Europe/Berlin' }, 'Wednesday 2026-07-01T14:00:00+02:00 (Europe/Berlin)'],
    [{ timeZone: 'Asia/Kolkata' }, 'Wednesday 2026-07-01T17:30:00+05:30 (Asia/Kolkata)'],
    [{ timeZone: 'America/Los_Angeles' }, 'Wednesday 2026-07-01T05:00:00-07:00 (America/Los_Angeles)'],
  ])('returns the time for %j', async (toolArguments, text) => {
    expect(await createRunner().run(runOf({}, toolArguments))).toEqual({ status: 'succeeded', text });
  });

  it('fails when a time zone does not exist', async () => {
    expect(await createRunner().run(runOf({}, { timeZone: 'Mars/Base' }))).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_ARGUMENTS', message: containing('IANA') },
    });
  });

  it('may have another name than its function', async () => {
    const tool = { name: 'sum_up', config: { functionName: 'calculate' } };
    expect(await createRunner().run(runOf(tool, { expression: '6 * 7' }))).toEqual({
      status: 'succeeded',
      text: '42',
    });
  });

  it('fails for an unknown function and for invalid arguments', async () => {
    const { run } = createRunner();
    expect(await run(runOf({ name: 'teleport' }))).toMatchObject({
      status: 'failed',
      error: { code: 'UNKNOWN_TOOL', message: containing('current_time') },
    });
    expect(await run(runOf({ name: 'calculate' }, { expression: 5 }))).toMatchObject({
      status: 'failed',
      error: {
        code: 'INVALID_TOOL_ARGUMENTS',
        details: [{ field: 'expression', message: 'must be string' }],
      },
    });
  });

  it('does not run when its signal is already aborted', async () => {
    const reason = new Error('cancelled');
    await expect(createRunner().run(runOf({}, {}, { signal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    );
  });
});

describe('http_request', () => {
  const request = (toolArguments: JsonObject, parts: Partial<ToolRun> = {}) =>
    createRunner().run(runOf({ name: 'http_request' }, toolArguments, parts));

  it('returns status, headers and text', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(201, { 'content-type': 'application/json', 'x-internal': 'no' }).end('{"ok":true}'),
    );
    const result = await request({ url });
    expect(result).toMatchObject({
      status: 'succeeded',
      text: matching(/^HTTP 201 Created\ncontent-type: application\/json\n/),
    });
    expect(result).toMatchObject({ text: matching(/\n\n\{"ok":true\}$/) });
    expect(result).toMatchObject({ text: notContaining('x-internal') });
  });

  it('sends the key of the call with every method except GET and HEAD', async () => {
    const keys: unknown[] = [];
    const url = await serve((incoming, response) => {
      keys.push([incoming.method, incoming.headers['idempotency-key']]);
      response.end();
    });
    await request({ url });
    await request({ url, method: 'HEAD' });
    await request({ url, method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
    await request({ url, method: 'DELETE' });
    expect(keys).toEqual([
      ['GET', undefined],
      ['HEAD', undefined],
      ['POST', 'key-1'],
      ['DELETE', 'key-1'],
    ]);
  });

  it('returns a redirect and does not follow it', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    expect(await request({ url })).toMatchObject({
      text: containing('location: http://10.0.0.1/'),
    });
  });

  it('reads at most 1 MiB', async () => {
    const url = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-length': 5_000_000 })
        .end('x'.repeat(5_000_000)),
    );
    const result = await request({ url });
    expect(result).toMatchObject({ status: 'succeeded', truncatedBytes: 5_000_000 - 1024 * 1024 });
    expect(result).toMatchObject({ text: matching(/the rest was not read\]$/) });
  });

  it('describes a body that is not text', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([137, 80, 78, 71, 0])),
    );
    expect(await request({ url })).toMatchObject({
      text: containing('[binary image/png, 5 bytes]'),
    });
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, 'EGRESS_REFUSED'],
    [{ url: 'http://169.254.169.254/' }, 'EGRESS_REFUSED'],
    [{ url: 'file:///etc/passwd' }, 'EGRESS_REFUSED'],
    [{ url: 'nonsense' }, 'EGRESS_REFUSED'],
    [{ url: 'http://127.0.0.1/', headers: { Host: 'internal' } }, 'INVALID_TOOL_ARGUMENTS'],
    [{ url: 'http://127.0.0.1/', headers: { 'idempotency-key': 'mine' } }, 'INVALID_TOOL_ARGUMENTS'],
    [{ url: 'http://127.0.0.1/', headers: { 'bad name': 'x' } }, 'INVALID_TOOL_ARGUMENTS'],
    [{ url: 'http://127.0.0.1/', headers: { a: 'x\r\ny: z' } }, 'INVALID_TOOL_ARGUMENTS'],
    [{ url: 'http://127.0.0.1/', body: 'x' }, 'INVALID_TOOL_ARGUMENTS'],
    [{ url: 'http://127.0.0.1/', method: 'TRACE' }, 'INVALID_TOOL_ARGUMENTS'],
  ])('fails for %j with %s', async (toolArguments, code) => {
    expect(await request(toolArguments)).toMatchObject({ status: 'failed', error: { code } });
  });

  it('fails as not sent when the server refuses the socket', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    await expect(request({ url, method: 'POST' })).rejects.toMatchObject({
      code: 'TOOL_UNREACHABLE',
      sent: false,
    });
  });

  it('fails as possibly sent when the socket closes', async () => {
    const url = await serve((incoming) => incoming.socket.destroy());
    await expect(request({ url, method: 'POST' })).rejects.toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent: true,
    });
  });

  it('times out before the headers', async () => {
    const url = await serve(() => undefined);
    await expect(request({ url }, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'TOOL_TIMED_OUT',
      sent: true,
    });
  });

  it('times out within the body', async () => {
    const url = await serve((_request, response) => void response.write('first'));
    await expect(request({ url }, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'TOOL_TIMED_OUT',
      sent: true,
    });
  });

  it('is aborted with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const url = await serve(() => controller.abort(reason));
    await expect(request({ url }, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe.each(['workflow', 'agent'] as const)('a tool of type %s', (type) => {
  it('fails when it is not available', async () => {
    expect(await createRunner().run(runOf({ type }))).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_TYPE_NOT_AVAILABLE' },
    });
  });
});

describe('effectOf', () => {
  const httpTool = { type: 'function', name: 'http_request', config: {} } as const;

  it.each([
    [{ type: 'function', name: 'calculate', config: {} }, {}, 'read_only'],
    [{ type: 'function', name: 'now', config: { functionName: 'current_time' } }, {}, 'read_only'],
    [httpTool, { url: 'https://example.com' }, 'read_only'],
    [httpTool, { method: 'HEAD' }, 'read_only'],
    [httpTool, { method: 'POST' }, 'unsafe'],
    [httpTool, undefined, 'unsafe'],
    [{ ...httpTool, settings: { effect: 'keyed' } }, { method: 'POST' }, 'keyed'],
    [{ type: 'mcp', name: 'calculate', config: {} }, {}, 'unsafe'],
    [{ type: 'function', name: 'nothing', config: {} }, {}, 'unsafe'],
  ] as const)('of a tool %j with the arguments %j is %s', (tool, toolArguments, effect) => {
    expect(effectOf(tool, toolArguments)).toBe(effect);
  });
});
