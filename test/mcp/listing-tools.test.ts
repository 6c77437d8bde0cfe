import { describe, expect, it } from 'vitest';
import { containing } from '../labs/matchers.ts';
import { textResult, type ScriptedTool } from '../servers/mcp-servers.ts';
import { connectionTo, managerOf, scripted, scriptedManager } from '../labs/mcp-manager-lab.ts';

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
  ])('reads a thousand of them %s', async (_pages, pageSize) => {
    const { tools, definitions } = manyTools(1_000);
    const { manager } = await scriptedManager(tools, { definitions, ...(pageSize ? { pageSize } : {}) });
    const listed = await manager.listTools({ server: 'own' });
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
    expect(listed[999]).toEqual({
      name: 'tool_999',
      description: 'x'.repeat(1_500),
      inputSchema: { type: 'object' },
    });
  });

  it('stops at so many bytes, over however many pages they come', async () => {
    const { tools, definitions } = manyTools(100);
    const { manager } = await scriptedManager(tools, { definitions, pageSize: 5, maxListBytes: 50_000 });
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

  it('leaves out definitions that are nested too deep, and keeps the first of two tools with one name', async () => {
    let endless = {};
    for (let level = 0; level < 100; level += 1) endless = { type: 'object', properties: { in: endless } };
    const { manager } = await scriptedManager(
      { endless: noted, note: noted },
      { definitions: { endless: { inputSchema: { type: 'object', ...endless } } } },
    );
    expect((await manager.listTools({ server: 'own' })).map(({ name }) => name)).toEqual(['note']);
  });

  it('gives the tools that connecting found until they are too old', async () => {
    const tools: Record<string, ScriptedTool> = { note: noted };
    const { manager } = await scriptedManager(tools);
    const before = await manager.connectServer({ server: 'own' });
    tools.other = noted;
    expect(await manager.connectServer({ server: 'own' })).toEqual(before);
    expect(await manager.listTools({ server: 'own' }, { maxAgeMs: 60_000 })).toEqual(before);
    expect(await manager.listTools({ server: 'own' })).toHaveLength(2);
    expect(await manager.connectServer({ server: 'own' })).toHaveLength(2);
  });

  it('redacts the credentials of the connection in what the server lists', async () => {
    const server = await scripted(
      { note: noted },
      { definitions: { note: { description: 'knows tok-4711' } } },
    );
    const target = connectionTo({ endpoint: server.url, token: 'tok-4711' });
    expect(await managerOf({}).listTools(target)).toMatchObject([{ description: 'knows [redacted]' }]);
    expect(server.lastHeaders().authorization).toBe('Bearer tok-4711');
  });

  it('fails for a connection without an endpoint', async () => {
    await expect(managerOf({}).listTools(connectionTo({ endpoint: null }))).rejects.toMatchObject({
      code: 'TOOL_MISCONFIGURED',
    });
  });
});
