import { describe, expect, it } from 'vitest';
import type { AttachedConnector } from '../../../src/domain/connector.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { toInnerToolId } from '../../../src/lib/ids.ts';
import { httpEntry } from '../../servers/mcp-servers.ts';
import {
  echo,
  gatewayId,
  gatewayOf,
  jsonOf,
  querySchema,
  startGatewayScene,
} from '../../labs/gateway-scene.ts';
import { createMcpScene, runOf, serveTools } from '../../labs/mcp-scene.ts';

describe('the pins of tools behind the gateway', () => {
  const call = { action: 'call', server: 'kr-legal', tool: 'search_statute', args: { query: 'x' } };
  const target = 'kr-legal:search_statute';

  it('are looked at before each call, with what the server says now, and by no list', async () => {
    const { scene, gateway } = await startGatewayScene();
    await gateway({ action: 'list' });
    expect(scene.checks).toEqual([]);
    await gateway(call);
    expect(scene.checks).toMatchObject([
      { tool: { id: gatewayId }, target, definition: { name: 'search_statute', inputSchema: querySchema } },
    ]);
  });

  it('stop a call of what is quarantined, and nothing is sent', async () => {
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
  ])('are those of the own tools of the agent too, %s', async (_how, toConfig) => {
    const { scene, connectors, legal } = await startGatewayScene();
    const [connector] = connectors as [AttachedConnector];
    const config = toConfig(connector);
    const name = 'tool' in config ? 'statutes' : 'search_statute';
    const { tool: own } = runOf({ name, config });
    const { tool: other } = runOf({ name: 'other', config: { ...config, tool: 'query' } });
    const gateway = gatewayOf(scene, { connectors, agentTools: [other, own] });
    await gateway(call);
    expect(scene.checks.map(({ tool }) => tool.id)).toEqual([own.id, gatewayId]);

    scene.quarantine.ids.add(own.id);
    expect(await gateway(call)).toMatchObject({ error: { code: 'TOOL_QUARANTINED' } });
    expect([...legal.calls.values()]).toEqual([1]);
    expect(jsonOf(await gateway({ action: 'list' }))).toMatchObject([{ id: 'database:query' }]);
  });

  it('keep what is quarantined out of lists', async () => {
    const { scene, gateway } = await startGatewayScene();
    scene.quarantine.ids.add(toInnerToolId(gatewayId, target));
    expect(jsonOf(await gateway({ action: 'list' }))).toMatchObject([{ id: 'database:query' }]);
    for (const request of [{ tool: target }, { server: 'kr-legal', tool: 'search_statute' }])
      expect(await gateway({ action: 'list', ...request })).toMatchObject({
        error: { code: 'TOOL_QUARANTINED' },
      });
  });

  it('are not asked about servers of the operator', async () => {
    const server = await serveTools({ note: echo });
    const scene = createMcpScene({ catalogued: httpEntry(server.url) });
    const gateway = gatewayOf(scene, { config: { servers: ['catalogued'] } });
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
    return { scene, gateway: gatewayOf(scene, { config: { servers: [server, 'my models'] } }) };
  }

  it('shows its operations', async () => {
    const { gateway } = startSlack();
    const listed = jsonOf(await gateway({ action: 'list', server })) as JsonObject[];
    expect(listed).toContainEqual({
      id: 'my slack connection:slack_sendMessage',
      server,
      name: 'slack_sendMessage',
      description: expect.any(String) as string,
      inputSchema: expect.objectContaining({ type: 'object' }) as JsonObject,
    });
    expect(jsonOf(await gateway({ action: 'list', query: 'send message' }))).toMatchObject({
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
    'takes an operation by the name that rules know only, not as %s',
    async (tool) => {
      const { scene, gateway } = startSlack();
      expect(await gateway({ action: 'call', server, tool, args: {} })).toMatchObject({
        error: { code: 'UNKNOWN_TOOL', message: `Error: Tool not found: my slack connection:${tool}` },
      });
      expect(scene.providerCalls).toEqual([]);
    },
  );
});

it('the connection of a connector is no way around the list of its tools', async () => {
  const { scene, connectors, legal } = await startGatewayScene();
  const gateway = gatewayOf(scene, { connectors, config: { servers: ['legal connection'] } });
  expect(jsonOf(await gateway({ action: 'list' }))).toMatchObject([{ name: 'search_statute' }]);
  const call = { action: 'call', server: 'legal connection', tool: 'delete_statute', args: {} };
  expect(await gateway(call)).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
  expect(legal.calls.size).toBe(0);
});
