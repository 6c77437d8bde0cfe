import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/domain/json.ts';
import type { McpToolCall } from '../../../src/engines/mcp/call-tool.ts';
import type { McpServer } from '../../../src/engines/mcp/mcp-catalogue.ts';
import type { BinaryPart } from '../../../src/engines/mcp/tool-result.ts';
import { containing, matching } from '../../labs/matchers.ts';
import {
  everythingEntry,
  httpEntry,
  startEverything,
  type StartedServer,
} from '../../servers/mcp-servers.ts';
import { cleanups, catchInterruption, openManager, openTemporaryFolder } from '../../labs/mcp-manager-lab.ts';

/** The server over HTTP of all tests that do not kill it. */
let everything: StartedServer;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.kill());

describe('the reference server "everything" over Streamable HTTP', () => {
  it('lists its tools, echoes, adds and reports progress', async () => {
    const manager = openManager({ everything: httpEntry(everything.url) });
    const call = (
      tool: string,
      toolArguments: McpToolCall['arguments'],
      onProgress?: (detail: JsonValue) => void,
    ) =>
      manager.callTool({
        target: { server: 'everything' },
        tool,
        arguments: toolArguments,
        idempotencyKey: 'k',
        ...(onProgress ? { onProgress } : {}),
      });

    const names = (await manager.listTools({ server: 'everything' })).map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'trigger-long-running-operation']));
    expect(await call('echo', { message: 'hello' })).toEqual({ status: 'succeeded', text: 'Echo: hello' });
    expect(await call('get-sum', { a: 2, b: 3 })).toMatchObject({ text: containing('5') });

    const progress: JsonValue[] = [];
    const long = await call('trigger-long-running-operation', { duration: 0.3, steps: 3 }, (detail) =>
      progress.push(detail),
    );
    expect(long.status).toBe('succeeded');
    expect(progress).toContainEqual({ progress: 2, total: 3 });

    expect(await call('get-structured-content', { location: 'Chicago' })).toMatchObject({
      status: 'succeeded',
      content: { structuredContent: { conditions: expect.any(String) as string } },
    });
    expect(await call('no-such-tool', {})).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_FAILED' },
    });
  });

  it('leaves the outcome unknown when it dies during a call', async () => {
    const killed = await startEverything();
    cleanups.push(() => killed.kill());
    const manager = openManager({ everything: httpEntry(killed.url) });
    const started = Promise.withResolvers<undefined>();
    const call = manager.callTool({
      target: { server: 'everything' },
      tool: 'trigger-long-running-operation',
      arguments: { duration: 60, steps: 600 },
      onProgress: () => started.resolve(undefined),
    });
    await started.promise;
    await killed.kill();
    expect(await catchInterruption(call)).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      sent: true,
      retryable: true,
    });

    const next = manager.callTool({
      target: { server: 'everything' },
      tool: 'echo',
      arguments: { message: 'x' },
    });
    expect(await catchInterruption(next)).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
  });
});

describe('a tool of the reference server "everything" that requires tasks', () => {
  const research = {
    target: { server: 'everything' },
    tool: 'simulate-research-query',
    arguments: { topic: 'python', ambiguous: true },
  };

  const openResearch = () => openManager({ everything: httpEntry(everything.url) });

  it('runs as a task, whose progress is reported and whose question is asked', async () => {
    const manager = openResearch();
    const reported: JsonValue[] = [];
    const questions: string[] = [];
    const result = await manager.callTool({
      ...research,
      onProgress: (detail) => reported.push(detail),
      dialogue: {
        resumed: null,
        ask: ({ message }) => {
          questions.push(message);
          return Promise.resolve({ action: 'accept', content: { interpretation: 'snake' } });
        },
      },
    });
    expect(result).toMatchObject({
      status: 'succeeded',
      text: containing('Research Report: python (snake)'),
    });
    expect(questions).toEqual([containing('multiple interpretations')]);
    expect(reported).toContainEqual(expect.objectContaining({ status: 'working' }));
  });

  it('is interrupted when its time is over', async () => {
    const manager = openResearch();
    const call = manager.callTool({ ...research, timeoutMs: 1_500 });
    expect(await catchInterruption(call)).toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
  });
});

describe.each(['Streamable HTTP', 'stdio'])('the reference server "everything" over %s', (transport) => {
  it('returns images, links and embedded resources', async () => {
    const manager = openManager({ everything: await openEverything(transport) });
    const kept: BinaryPart[] = [];
    const call = (tool: string, toolArguments: McpToolCall['arguments'] = {}) =>
      manager.callTool({
        target: { server: 'everything' },
        tool,
        arguments: toolArguments,
        keepBinary: (part) => Promise.resolve({ id: `file-${kept.push(part)}` }),
      });

    expect(await call('get-tiny-image')).toMatchObject({
      text: matching(/\[image image\/png, \d+ KB, file file-1\]/),
      content: {
        content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png', blobId: 'file-1' }, {}],
      },
    });
    expect(kept[0]?.bytes.subarray(1, 4)).toEqual(Buffer.from('PNG'));
    expect(await call('get-resource-links', { count: 2 })).toMatchObject({
      text: containing('[link to '),
      content: { content: [{ type: 'text' }, { type: 'resource_link' }, { type: 'resource_link' }] },
    });
    expect(await call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 })).toMatchObject({
      content: { content: [{}, { type: 'resource', resource: { blobId: 'file-2' } }, {}] },
    });
    expect(await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toMatchObject({
      content: { content: [{}, { type: 'resource', resource: { text: expect.any(String) as string } }, {}] },
    });
  });
});

async function openEverything(transport: string): Promise<McpServer> {
  if (transport === 'stdio') return everythingEntry(await openTemporaryFolder());
  return httpEntry(everything.url);
}
