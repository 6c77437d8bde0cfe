import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { gatewayDescription, gatewaySchema } from '../../../../src/domain/gateway.ts';
import {
  checkToolArguments,
  checkToolSchema,
} from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { containing } from '../../../labs/matchers.ts';
import { findFreePort, httpEntry } from '../../../servers/mcp-servers.ts';
import {
  echoArguments,
  createGatewayCaller,
  parseResultText,
  querySchema,
  startGatewayScene,
} from '../../../labs/gateway-scene.ts';
import {
  createConnectorOver,
  createMcpScene,
  createAccessDenied,
  serveTools,
} from '../../../labs/mcp-scene.ts';

describe('the gateway', () => {
  it('has an input schema that accepts the documented calls', () => {
    expect(checkToolSchema(gatewaySchema)).toBeNull();
    expect(gatewayDescription).toContain('Model Context Protocol');
    expect(checkToolArguments(gatewaySchema, { action: 'list' })).toEqual([]);
    const call = { action: 'call', server: 'kr-legal', tool: 'search_statute', args: { query: 'x' } };
    expect(checkToolArguments(gatewaySchema, call)).toEqual([]);
    expect(checkToolArguments(gatewaySchema, {})).toEqual([{ field: 'action', message: 'is required' }]);
    expect(checkToolArguments(gatewaySchema, { action: 'drop' })).toHaveLength(1);
  });
});

describe('listing through the gateway', () => {
  const statute = {
    id: 'kr-legal:search_statute',
    server: 'kr-legal',
    name: 'search_statute',
    description: 'Search Korean statutes',
    inputSchema: querySchema,
  };
  const query = {
    id: 'database:query',
    server: 'database',
    name: 'query',
    description: 'query',
    inputSchema: { type: 'object' },
  };

  it('shows the tools of all connectors that they were registered with', async () => {
    const { gateway } = await startGatewayScene();
    expect(parseResultText(await gateway({ action: 'list' }))).toEqual([statute, query]);
  });

  it('shows the tools of one server, or one tool', async () => {
    const { gateway } = await startGatewayScene();
    expect(parseResultText(await gateway({ action: 'list', server: 'database' }))).toEqual([query]);
    expect(
      parseResultText(await gateway({ action: 'list', server: 'kr-legal', tool: 'search_statute' })),
    ).toEqual([statute]);
    expect(parseResultText(await gateway({ action: 'list', tool: 'kr-legal:search_statute' }))).toEqual([
      statute,
    ]);
    expect(await gateway({ action: 'list', server: 'kr-legal', tool: 'nothing' })).toMatchObject({
      error: { message: 'Error: Tool not found: kr-legal:nothing' },
    });
  });

  it('shows the tools that match a query', async () => {
    const { gateway } = await startGatewayScene();
    expect(parseResultText(await gateway({ action: 'list', query: 'statutes' }))).toEqual([statute]);
    expect(parseResultText(await gateway({ action: 'list', query: 'weather' }))).toEqual([]);
  });

  it('names a server whose tools could not be listed, and shows the others', async () => {
    const { scene, connectors } = await startGatewayScene();
    const down = createConnectorOver(scene.connect(`http://127.0.0.1:${await findFreePort()}/mcp`), 'down', [
      'x',
    ]);
    const revoked = createConnectorOver('c9', 'revoked', ['x']);
    scene.connections.set('c9', createAccessDenied('c9'));
    const gateway = createGatewayCaller(scene, { connectors: [...connectors, down, revoked] });
    expect(parseResultText(await gateway({ action: 'list' }))).toMatchObject({
      tools: [statute, query],
      unavailable: [
        { server: 'down', error: containing('cannot be reached') },
        { server: 'revoked', error: 'Connection c9 not found or access denied' },
      ],
    });
  });

  it('shows connectors, connections and catalogue servers that its config names', async () => {
    const server = await serveTools({ note: echoArguments });
    const scene = createMcpScene({ catalogued: httpEntry(server.url), hidden: httpEntry(server.url) });
    scene.connect(server.url, 'stored');
    const connectors = [createConnectorOver(scene.connect(server.url), 'attached', ['note'])];
    const gateway = createGatewayCaller(scene, {
      connectors,
      config: { servers: ['attached', 'stored', 'catalogued', 'missing'] },
    });
    expect(parseResultText(await gateway({ action: 'list' }))).toMatchObject({
      tools: [{ id: 'attached:note' }, { id: 'stored:note' }, { id: 'catalogued:note' }],
      unavailable: [{ server: 'missing', error: 'There is no such server.' }],
    });
    expect(await gateway({ action: 'call', server: 'hidden', tool: 'note' })).toMatchObject({
      error: { message: 'Error: Tool not found: hidden:note' },
    });
  });
});

describe('a thousand tools behind the gateway', () => {
  async function startThousand() {
    const names = Array.from({ length: 1_000 }, (_, index) => `tool_${index}`);
    const definitions = Object.fromEntries(
      names.map((name, index) => [
        name,
        { description: `Does ${index}. ${'x'.repeat(300)}`, inputSchema: querySchema },
      ]),
    );
    definitions.tool_777 = { description: 'Sends an invoice to a customer', inputSchema: querySchema };
    const server = await serveTools(Object.fromEntries(names.map((name) => [name, echoArguments])), {
      definitions,
    });
    const scene = createMcpScene();
    const connectors = [createConnectorOver(scene.connect(server.url), 'big', names)];
    return createGatewayCaller(scene, { connectors });
  }

  it('are shown up to the size limit, with a hint how to find the others', async () => {
    const gateway = await startThousand();
    const result = await gateway({ action: 'list' });
    const listing = parseResultText(result) as {
      note: string;
      servers: JsonObject;
      tools: { description: string }[];
    };
    expect(result.status === 'succeeded' && Buffer.byteLength(result.text)).toBeLessThanOrEqual(24 * 1024);
    expect(listing.servers).toEqual({ big: 1_000 });
    expect(listing.note).toMatch(/^\d+ of 1000 tools, without their inputSchema\. .*"tool".*"query"/);
    expect(listing.tools.length).toBeGreaterThan(50);
    expect(Object.keys(listing.tools[0] ?? {})).toEqual(['id', 'server', 'name', 'description']);
    expect(listing.tools[0]?.description).toHaveLength(120);
  });

  it('are found by their description, and can be called', async () => {
    const gateway = await startThousand();
    const found = parseResultText(await gateway({ action: 'list', query: 'send invoices' })) as JsonObject[];
    expect(found[0]).toMatchObject({ id: 'big:tool_777', inputSchema: querySchema });
    const call = { action: 'call', server: 'big', tool: 'tool_777', args: { query: 'Ada' } };
    expect(await gateway(call)).toEqual({ status: 'succeeded', text: '{"query":"Ada"}' });
  });
});

describe('a call through the gateway', () => {
  it('runs the tool with the idempotency key of the call', async () => {
    const { gateway, legal } = await startGatewayScene();
    const args = { query: '민법', limit: 5 };
    const call = { action: 'call', server: 'kr-legal', tool: 'search_statute', args };
    expect(await gateway(call)).toEqual({ status: 'succeeded', text: JSON.stringify(args) });
    expect(await gateway({ action: 'call', tool: 'kr-legal:search_statute', args })).toMatchObject({
      status: 'succeeded',
    });
    expect(legal.calls).toEqual(new Map([['search_statute key-1', 2]]));
  });

  it.each([
    ['kr-legal', 'invalid_tool'],
    ['kr-legal', 'delete_statute'],
    ['nowhere', 'query'],
  ])('fails as not found for the missing or forbidden tool %s:%s', async (server, tool) => {
    const { gateway, legal } = await startGatewayScene();
    expect(await gateway({ action: 'call', server, tool, args: {} })).toEqual({
      status: 'failed',
      error: { code: 'UNKNOWN_TOOL', message: `Error: Tool not found: ${server}:${tool}` },
    });
    expect(legal.calls.size).toBe(0);
  });

  it('names an invalid field of its arguments, and sends nothing', async () => {
    const { gateway, legal } = await startGatewayScene();
    const call = { action: 'call', server: 'kr-legal', tool: 'search_statute', args: { limit: 'five' } };
    expect(await gateway(call)).toMatchObject({
      status: 'failed',
      error: {
        code: 'INVALID_TOOL_ARGUMENTS',
        message: containing('kr-legal:search_statute'),
        details: [{ field: 'query', message: 'is required' }],
      },
    });
    expect(legal.calls.size).toBe(0);
  });

  it('names its required arguments', async () => {
    const { gateway } = await startGatewayScene();
    expect(await gateway({ action: 'call', server: 'kr-legal' })).toMatchObject({
      error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'tool', message: 'is required' }] },
    });
  });

  it('fails as not sent when its server is down', async () => {
    const scene = createMcpScene({ down: httpEntry(`http://127.0.0.1:${await findFreePort()}/mcp`) });
    const gateway = createGatewayCaller(scene, { config: { servers: ['down'] } });
    await expect(gateway({ action: 'call', server: 'down', tool: 'note' })).rejects.toMatchObject({
      code: 'TOOL_UNREACHABLE',
      sent: false,
    });
  });
});
