import { describe, expect, it } from 'vitest';
import { containing } from '../../labs/matchers.ts';
import { textResult, type ScriptedTool } from '../../servers/mcp-servers.ts';
import {
  openLoopbackConnection,
  openManager,
  openScriptedServer,
  openScriptedManager,
} from '../../labs/mcp-manager-lab.ts';

const noted: ScriptedTool = () => textResult('noted');

function manyTools(count: number) {
  const names = Array.from({ length: count }, (_, index) => `tool_${index}`);
  return {
    tools: Object.fromEntries(names.map((name) => [name, noted])),
    definitions: Object.fromEntries(names.map((name) => [name, { description: 'x'.repeat(1_500) }])),
  };
}

describe('listing tools', () => {
  it.each([
    ['on one page', undefined],
    ['over a hundred pages', 10],
  ])('reads a thousand tools %s', async (_pages, pageSize) => {
    const { tools, definitions } = manyTools(1_000);
    const { manager } = await openScriptedManager(tools, { definitions, ...(pageSize ? { pageSize } : {}) });
    const listed = await manager.listTools({ server: 'own' });
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
    expect(listed[999]).toEqual({
      name: 'tool_999',
      description: 'x'.repeat(1_500),
      inputSchema: { type: 'object' },
    });
  });

  it('stops at a maximum of bytes, over any number of pages', async () => {
    const { tools, definitions } = manyTools(100);
    const { manager } = await openScriptedManager(tools, { definitions, pageSize: 5, maxListBytes: 50_000 });
    await expect(manager.listTools({ server: 'own' })).rejects.toMatchObject({
      code: 'TOOL_UNREACHABLE',
      message: containing('more than 50000 bytes'),
    });
    expect(
      await manager.callTool({ target: { server: 'own' }, tool: 'tool_1', arguments: {} }),
    ).toMatchObject({
      status: 'succeeded',
    });
  });

  it('skips definitions that are nested too deep, and keeps the first of two tools with the same name', async () => {
    let endless = {};
    for (let level = 0; level < 100; level += 1) endless = { type: 'object', properties: { in: endless } };
    const { manager } = await openScriptedManager(
      { endless: noted, note: noted },
      { definitions: { endless: { inputSchema: { type: 'object', ...endless } } } },
    );
    expect((await manager.listTools({ server: 'own' })).map(({ name }) => name)).toEqual(['note']);
  });

  it('returns the tools that were listed at the start of the session until they are too old', async () => {
    const tools: Record<string, ScriptedTool> = { note: noted };
    const { manager } = await openScriptedManager(tools);
    const before = await manager.connectServer({ server: 'own' });
    tools.other = noted;
    expect(await manager.connectServer({ server: 'own' })).toEqual(before);
    expect(await manager.listTools({ server: 'own' }, { maxAgeMs: 60_000 })).toEqual(before);
    expect(await manager.listTools({ server: 'own' })).toHaveLength(2);
    expect(await manager.connectServer({ server: 'own' })).toHaveLength(2);
  });

  it('redacts the credentials of the connection in the definitions', async () => {
    const server = await openScriptedServer(
      { note: noted },
      { definitions: { note: { description: 'knows tok-4711' } } },
    );
    const target = openLoopbackConnection({ endpoint: server.url, token: 'tok-4711' });
    expect(await openManager({}).listTools(target)).toMatchObject([{ description: 'knows [redacted]' }]);
    expect(server.lastHeaders().authorization).toBe('Bearer tok-4711');
  });

  it('fails for a connection without an endpoint', async () => {
    await expect(openManager({}).listTools(openLoopbackConnection({ endpoint: null }))).rejects.toMatchObject(
      {
        code: 'TOOL_MISCONFIGURED',
      },
    );
  });
});
