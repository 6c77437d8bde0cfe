import { describe, expect, it } from 'vitest';
import type { AttachedConnector } from '../../../../src/domain/connector.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { toInnerToolId } from '../../../../src/platform/lib/ids.ts';
import { httpEntry } from '../../../servers/mcp-servers.ts';
import {
  echoArguments,
  gatewayId,
  createGatewayCaller,
  parseResultText,
  querySchema,
  startGatewayScene,
} from '../../../labs/gateway-scene.ts';
import { createMcpScene, createMcpRun, serveTools } from '../../../labs/mcp-scene.ts';

describe('the pins of tools behind the gateway', () => {
  const call = { action: 'call', server: 'kr-legal', tool: 'search_statute', args: { query: 'x' } };
  const target = 'kr-legal:search_statute';

  it('are checked before each call against the current definition, and not when tools are listed', async () => {
    const { scene, gateway } = await startGatewayScene();
    await gateway({ action: 'list' });
    expect(scene.checks).toEqual([]);
    await gateway(call);
    expect(scene.checks).toMatchObject([
      { tool: { id: gatewayId }, target, definition: { name: 'search_statute', inputSchema: querySchema } },
    ]);
  });

  it('block a call of a quarantined tool, and nothing is sent', async () => {
    const { scene, gateway, legal } = await startGatewayScene();
    scene.quarantine.ids.add(target);
    expect(await gateway(call)).toEqual({
      status: 'failed',
      error: { code: 'TOOL_QUARANTINED', message: 'It is quarantined.' },
    });
    expect(legal.calls.size).toBe(0);
  });

  it.each([
    ['over the connector', (connector: AttachedConnector) => ({ connectorId: connector.id })],
    [
      'over its connection',
      ({ connectionId }: AttachedConnector) => ({ connectionId, provider: 'mcp', tool: 'search_statute' }),
    ],
  ])('include those of the agent’s own tools %s', async (_how, toConfig) => {
    const { scene, connectors, legal } = await startGatewayScene();
    const [connector] = connectors as [AttachedConnector];
    const config = toConfig(connector);
    const name = 'tool' in config ? 'statutes' : 'search_statute';
    const { tool: own } = createMcpRun({ name, config });
    const { tool: other } = createMcpRun({ name: 'other', config: { ...config, tool: 'query' } });
    const gateway = createGatewayCaller(scene, { connectors, agentTools: [other, own] });
    await gateway(call);
    expect(scene.checks.map(({ tool }) => tool.id)).toEqual([own.id, gatewayId]);

    scene.quarantine.ids.add(own.id);
    expect(await gateway(call)).toMatchObject({ error: { code: 'TOOL_QUARANTINED' } });
    expect([...legal.calls.values()]).toEqual([1]);
    expect(parseResultText(await gateway({ action: 'list' }))).toMatchObject([{ id: 'database:query' }]);
  });

  it('remove quarantined tools from lists', async () => {
    const { scene, gateway } = await startGatewayScene();
    scene.quarantine.ids.add(toInnerToolId(gatewayId, target));
    expect(parseResultText(await gateway({ action: 'list' }))).toMatchObject([{ id: 'database:query' }]);
    for (const request of [{ tool: target }, { server: 'kr-legal', tool: 'search_statute' }])
      expect(await gateway({ action: 'list', ...request })).toMatchObject({
        error: { code: 'TOOL_QUARANTINED' },
      });
  });

  it('are not checked for servers of the operator', async () => {
    const server = await serveTools({ note: echoArguments });
    const scene = createMcpScene({ catalogued: httpEntry(server.url) });
    const gateway = createGatewayCaller(scene, { config: { servers: ['catalogued'] } });
    const result = await gateway({ action: 'call', server: 'catalogued', tool: 'note', args: {} });
    expect(result).toMatchObject({ status: 'succeeded' });
    expect(scene.checks).toEqual([]);
  });
});

describe('a connection of a provider behind the gateway', () => {
  const server = 'my slack connection';

  function startSlack() {
    const scene = createMcpScene();
    scene.connect(null, server, 'slack');
    scene.connect(null, 'my models', 'openai');
    return { scene, gateway: createGatewayCaller(scene, { config: { servers: [server, 'my models'] } }) };
  }

  it('lists its operations', async () => {
    const { gateway } = startSlack();
    const listed = parseResultText(await gateway({ action: 'list', server })) as JsonObject[];
    expect(listed).toContainEqual({
      id: 'my slack connection:slack_sendMessage',
      server,
      name: 'slack_sendMessage',
      description: expect.any(String) as string,
      inputSchema: expect.objectContaining({ type: 'object' }) as JsonObject,
    });
    expect(parseResultText(await gateway({ action: 'list', query: 'send message' }))).toMatchObject({
      unavailable: [{ server: 'my models', error: 'There is no such server.' }],
    });
  });

  it('runs an operation over the connection', async () => {
    const { scene, gateway } = startSlack();
    const args = { channel: 'C1', text: 'Hello' };
    const call = { action: 'call', server, tool: 'slack_sendMessage', args };
    expect(await gateway(call)).toEqual({ status: 'succeeded', text: 'from the provider' });
    expect(scene.providerCalls).toEqual([{ provider: 'slack', tool: 'slack_sendMessage', input: args }]);
    expect(scene.checks).toEqual([]);
  });

  it.each(['sendMessage', 'slack_nothing', 'github_createIssue'])(
    'does not accept %s as the name of an operation',
    async (tool) => {
      const { scene, gateway } = startSlack();
      expect(await gateway({ action: 'call', server, tool, args: {} })).toMatchObject({
        error: { code: 'UNKNOWN_TOOL', message: `Error: Tool not found: my slack connection:${tool}` },
      });
      expect(scene.providerCalls).toEqual([]);
    },
  );
});

it('a call through a connector’s connection cannot reach tools that the connector does not name', async () => {
  const { scene, connectors, legal } = await startGatewayScene();
  const gateway = createGatewayCaller(scene, { connectors, config: { servers: ['legal connection'] } });
  expect(parseResultText(await gateway({ action: 'list' }))).toMatchObject([{ name: 'search_statute' }]);
  const call = { action: 'call', server: 'legal connection', tool: 'delete_statute', args: {} };
  expect(await gateway(call)).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
  expect(legal.calls.size).toBe(0);
});

describe('the servers of a gateway', () => {
  const note = (server: string) => ({ action: 'call', server, tool: 'note', args: {} });

  it('are those of the operator where a connection has the same name', async () => {
    const own = await serveTools({ note: echoArguments });
    const foreign = await serveTools({ note: echoArguments });
    const scene = createMcpScene({ shop: httpEntry(own.url) });
    scene.connect(foreign.url, 'shop');
    const gateway = createGatewayCaller(scene, { config: { servers: ['shop'] } });
    expect(await gateway(note('shop'))).toMatchObject({ status: 'succeeded' });
    expect([own.calls.size, foreign.calls.size]).toEqual([1, 0]);
  });

  it('have no colon in their names, so that no tool of one looks like a tool of another', async () => {
    const server = await serveTools({ note: echoArguments });
    const scene = createMcpScene();
    scene.connect(server.url, 'shop:safe');
    const gateway = createGatewayCaller(scene, { config: { servers: ['shop:safe'] } });
    expect(await gateway(note('shop:safe'))).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
    expect(server.calls.size).toBe(0);
  });
});
