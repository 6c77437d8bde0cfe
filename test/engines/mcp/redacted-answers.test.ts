import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { OpenConnection } from '../../../src/domain/connection.ts';
import { createRedactor } from '../../../src/domain/redact.ts';
import type { McpToolCall } from '../../../src/engines/mcp/call-tool.ts';
import { toToolResult, type BinaryPart } from '../../../src/engines/mcp/tool-result.ts';
import { containing } from '../../labs/matchers.ts';
import { openLoopbackConnection, openManager, openScriptedServer } from '../../labs/mcp-manager-lab.ts';
import { textResult, type ScriptedTool } from '../../servers/mcp-servers.ts';

const token = `tok/${crypto.randomUUID()}`;
const half = token.slice(0, 20);
const { redact } = createRedactor([token]);

async function openLeakyServer(tools: Record<string, ScriptedTool>) {
  const server = await openScriptedServer(tools);
  const target: OpenConnection = {
    ...openLoopbackConnection({ endpoint: server.url, token }),
    redact,
  };
  const manager = openManager({});
  return (tool: string, more: Partial<McpToolCall> = {}) =>
    manager.callTool({ target, tool, arguments: {}, ...more });
}

describe('a secret that an MCP server repeats', () => {
  it.each([10, 460, 480, 499])(
    'is redacted in an error before that is cut, at character %i',
    async (offset) => {
      const message = `${'x'.repeat(offset)}${token} and ${'more '.repeat(200)}`;
      const call = await openLeakyServer({
        fail: () => {
          throw new McpError(-32_000, message, { seen: token });
        },
      });
      const result = await call('fail');
      expect(result).toMatchObject({
        status: 'failed',
        error: { details: { data: { seen: '[redacted]' } } },
      });
      expect(JSON.stringify(result)).not.toContain(token.slice(0, 4));
    },
  );

  it('is redacted in a text before that is cut', async () => {
    const keep = () => Promise.resolve({ id: null });
    const result = textResult(`${'x'.repeat(990)}${token}`) as CallToolResult;
    expect(await toToolResult(result, { maxTextBytes: 1000, keep, redact })).toEqual({
      status: 'succeeded',
      text: `${'x'.repeat(990)}[redacted]`,
    });
  });

  it('is redacted when it is split over the texts of a result', async () => {
    const call = await openLeakyServer({
      split: () => ({
        content: [half, token.slice(20)].map((text) => ({ type: 'text', text })),
        structuredContent: { parts: [half, token.slice(20)] },
      }),
    });
    const result = await call('split');
    expect(result).toMatchObject({ status: 'succeeded', text: '[redacted]\n[redacted]' });
    expect(JSON.stringify(result)).not.toContain(half);
    expect(JSON.stringify(result)).not.toContain(token.slice(20));
  });

  it('is redacted in what a call reports of its progress', async () => {
    const call = await openLeakyServer({
      slow: async ({ reportProgress }) => {
        await reportProgress(1, 2, `with ${encodeURIComponent(token)}`);
        return textResult('done');
      },
    });
    const details: unknown[] = [];
    await call('slow', { onProgress: (detail) => details.push(detail) });
    expect(details).toMatchObject([{ message: 'with [redacted]' }]);
  });

  it('is redacted in names, media types and texts of files', async () => {
    const blob = Buffer.from(`token: ${token}\nschön`).toString('base64');
    const call = await openLeakyServer({
      file: () => ({
        content: [
          {
            type: 'resource',
            resource: { uri: `file:///${half}/${token}.txt`, mimeType: `text/${token}`, blob },
          },
          { type: 'resource_link', uri: `https://host/?key=${encodeURIComponent(token)}`, name: token },
        ],
      }),
    });
    const kept: BinaryPart[] = [];
    const result = await call('file', {
      keepBinary: (part) => {
        kept.push(part);
        return Promise.resolve({ id: 'stored' });
      },
    });
    expect(kept).toEqual([
      {
        bytes: Buffer.from('token: [redacted]\nschön'),
        mediaType: 'text/[redacted]',
        name: '[redacted].txt',
      },
    ]);
    expect(JSON.stringify(result)).not.toContain(token.slice(4));
  });

  it.each([
    ['among bytes', Buffer.concat([Buffer.from([0xff, 0xd8, 0, 0xfe]), Buffer.from(token)])],
    ['in UTF-16', Buffer.from(token, 'utf16le')],
    ['in base64 among bytes', Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(btoa(token))])],
  ])('keeps a binary file from being stored that holds it %s', async (_where, bytes) => {
    const image = { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') } as const;
    const call = await openLeakyServer({ image: () => ({ content: [image] }) });
    const kept: BinaryPart[] = [];
    const result = await call('image', {
      keepBinary: (part) => {
        kept.push(part);
        return Promise.resolve({ id: 'stored' });
      },
    });
    expect(kept).toEqual([]);
    expect(result).toMatchObject({
      status: 'succeeded',
      text: containing('not stored, because it holds a credential of the connection'),
      content: { content: [{ type: 'image', blobId: null }] },
    });
  });
});

describe('a server that cannot be reached', () => {
  it('is described without its address, which operators find in the details', async () => {
    const server = await openScriptedServer({});
    const { host } = new URL(server.url);
    await server.close();
    const target = openLoopbackConnection({ endpoint: server.url });
    const call = openManager({}).callTool({ target, tool: 'note', arguments: {} });
    await expect(call).rejects.toMatchObject({
      message: 'The MCP server "own" cannot be reached: the connection was refused',
      details: { internal: containing(host) },
    });
  });
});
