import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executionModes, type Agent } from '../../src/domain/agent.ts';
import type { InnerTool } from '../../src/domain/discovered-tool.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { onePixelPng } from '../labs/stored-file.ts';
import { ask, callThrough, gatewayOver, startGatewayLab, type GatewayLab } from './gateway-lab.ts';

let gateway: GatewayLab;
beforeAll(async () => {
  gateway = await startGatewayLab();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.restore();
  gateway.server.calls.clear();
});

/** The names of the tools that were called on the server, in order. */
function reached(): string[] {
  return [...gateway.server.calls].map(([call]) => call.split(' ')[0] ?? '');
}

function toPath({ id, tools: [tool] }: Agent): string {
  return `/api/agents/${id}/tools/${tool?.id ?? ''}`;
}

test.each(executionModes)('a turn in %s execution finds a tool and calls it', async (execution) => {
  const { name } = await gateway.connect();
  const rules = { toolAllowlist: ['mcp', `${name}:*`] };
  const { play } = await gateway.createAgent({ tools: [gatewayOver(name)], rules, execution });
  const { turn, calls, ledger } = await play(
    ask({ action: 'list', server: name }),
    callThrough(name, 'note', { text: 'milk' }),
  );

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  const listed = JSON.parse(calls[0]?.result ?? '') as JsonObject[];
  expect(listed.map(({ id }) => id)).toEqual([`${name}:note`, `${name}:draw`, `${name}:shift`]);
  expect(calls[1]).toMatchObject({ name: 'mcp', status: 'succeeded', result: 'Noted: milk' });
  expect(ledger.map(({ connector, target }) => [connector, target])).toEqual([
    [name, null],
    [name, `${name}:note`],
  ]);
  expect(await gateway.listAudit(calls[1]?.id)).toMatchObject([
    {
      type: 'tool.executed',
      payload: { tool_name: `${name}:note`, connector_name: name, error: null },
    },
  ]);
});

describe('the rules of an agent behind the gateway', () => {
  test('allow the tools that an allowlist names by their server, and nothing else', async () => {
    const [own, other] = [await gateway.connect(), await gateway.connect()];
    const tools = [gatewayOver(own.name, other.name)];
    const { play } = await gateway.createAgent({ tools, rules: { toolAllowlist: [`${own.name}:*`] } });
    const { calls } = await play(
      callThrough(other.name, 'note', { text: 'a' }),
      ask({ action: 'list' }),
      callThrough(own.name, 'note', { text: 'b' }),
    );
    expect(calls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['blocked', 'TOOL_BLOCKED'],
      ['blocked', 'TOOL_BLOCKED'],
      ['succeeded', undefined],
    ]);
    expect(reached()).toEqual(['note']);
    expect(await gateway.listAudit(calls[0]?.id)).toMatchObject([
      {
        type: 'tool.blocked',
        payload: { tool_name: `${other.name}:note`, connector_name: other.name, rule: 'allowlist' },
      },
    ]);
  });

  test('that limit a tool of the agent also limit the same tool through the gateway', async () => {
    const { id, name } = await gateway.connect();
    const own = {
      ...{ type: 'mcp', name: 'remember', description: 'Notes.', schema: { type: 'object' } },
      config: { connectionId: id, provider: 'mcp', tool: 'note' },
    };
    const rules = { toolPolicies: { remember: { allowedValues: { text: ['milk'] } } } };
    const { play } = await gateway.createAgent({ tools: [gatewayOver(name), own], rules });
    const { calls } = await play(
      callThrough(name, 'note', { text: 'wine' }),
      callThrough(name, 'note', { text: 'milk' }),
    );
    expect(calls.map(({ status }) => status)).toEqual(['blocked', 'succeeded']);
  });
});

test('calling a tool that does not exist returns the documented error', async () => {
  const { name } = await gateway.connect();
  const { play } = await gateway.createAgent({ tools: [gatewayOver(name)] });
  const { turn, calls } = await play(
    callThrough(name, 'invalid_tool'),
    callThrough('kr-legal', 'invalid_tool'),
  );
  expect(turn.outcome).toBe('completed');
  expect(calls.map(({ error }) => error?.message)).toEqual([
    `Error: Tool not found: ${name}:invalid_tool`,
    'Error: Tool not found: kr-legal:invalid_tool',
  ]);
  const told = gateway.lab.model.requests.at(-1)?.body.messages.at(-1)?.content;
  expect(told).toContain('Error: Tool not found: kr-legal:invalid_tool');
});

test('an image of a tool is stored and can be fetched', async () => {
  const { name } = await gateway.connect();
  const { play } = await gateway.createAgent({ tools: [gatewayOver(name)] });
  const { calls } = await play(callThrough(name, 'draw'));
  const content = calls[0]?.content as { content: { type: string; blobId: string }[] };
  expect(content.content).toMatchObject([
    { type: 'image', mimeType: 'image/png', bytes: onePixelPng.length },
  ]);
  expect(calls[0]?.result).toContain(content.content[0]?.blobId);

  const { url, key } = gateway.api;
  const response = await fetch(`${url}/api/blobs/${content.content[0]?.blobId ?? ''}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(onePixelPng);
});

test('operations of a provider are called over its connection through the gateway', async () => {
  const auth = { type: 'bearer', token: 'xoxb-of-the-gateway' };
  const { name } = await gateway.connect({ provider: 'slack', endpoint: gateway.vendor.url, auth });
  const rules = { toolAllowlist: [`${name}:slack_sendMessage`] };
  const { play } = await gateway.createAgent({ tools: [gatewayOver(name)], rules });
  const { calls, ledger } = await play(
    callThrough(name, 'slack_sendMessage', { channel: 'C1', text: 'Hello' }),
    callThrough(name, 'slack_sendMessage', { channel: 'C1' }),
    callThrough(name, 'slack_listChannels'),
  );
  expect(calls.map(({ status, error }) => [status, error?.code])).toEqual([
    ['succeeded', undefined],
    ['failed', 'INVALID_TOOL_ARGUMENTS'],
    ['blocked', 'TOOL_BLOCKED'],
  ]);
  expect(gateway.vendor.requests).toMatchObject([{ url: '/chat.postMessage' }]);
  expect(gateway.vendor.requests[0]?.body).toContain('Hello');
  expect(ledger[0]).toMatchObject({ connector: name, target: `${name}:slack_sendMessage`, effect: 'unsafe' });
});

describe('a definition of a tool behind the gateway that changes', () => {
  test('between two calls quarantines only that tool, until the change is accepted', async () => {
    const { name } = await gateway.connect();
    const { agent, play } = await gateway.createAgent({ tools: [gatewayOver(name)] });
    const shift = callThrough(name, 'shift');
    const first = await play(shift, shift, shift, callThrough(name, 'note', { text: 'milk' }));
    expect(first.calls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'TOOL_QUARANTINED'],
      ['blocked', 'TOOL_QUARANTINED'],
      ['succeeded', undefined],
    ]);
    expect(reached()).toEqual(['shift', 'note']);
    const target = `${name}:shift`;
    const quarantined = await gateway.listAudit(agent.id);
    expect(quarantined.find(({ type }) => type === 'tool.quarantined')?.payload).toMatchObject({ target });

    const { inner } = await gateway.api.ask<{ inner: InnerTool[] }>('GET', toPath(agent));
    expect(inner.map((one) => [one.target, one.state.status])).toEqual([
      [`${name}:note`, 'active'],
      [target, 'quarantined'],
    ]);
    const hash = inner[1]?.state.drift?.hash;
    await gateway.api.ask('POST', `${toPath(agent)}/accept`, { target, hash });
    const next = await play(ask({ action: 'list' }), shift);
    expect(next.calls.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(next.calls[0]?.result).toContain('reads your mail');
  });

  test('is no longer shown to the model, nor called through the agent’s own tool', async () => {
    const { id, name } = await gateway.connect();
    const tools = [gatewayOver(name)];
    const { agent, play } = await gateway.createAgent({ tools });
    const schema = { type: 'object' };
    await gateway.api.ask('POST', `/api/agents/${agent.id}/tools`, {
      ...{ type: 'mcp', name: 'move', description: 'Shifts.', schema },
      config: { connectionId: id, provider: 'mcp', tool: 'shift' },
    });
    const direct = { toolCalls: [{ name: 'move', arguments: {} }] };
    const { calls } = await play(
      direct,
      callThrough(name, 'shift'),
      callThrough(name, 'shift'),
      direct,
      ask({ action: 'list' }),
      ask({ action: 'list', server: name, tool: 'shift' }),
    );
    expect(calls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'TOOL_QUARANTINED'],
      ['failed', 'TOOL_QUARANTINED'],
      ['blocked', 'TOOL_QUARANTINED'],
      ['succeeded', undefined],
      ['failed', 'TOOL_QUARANTINED'],
    ]);
    expect(reached()).toEqual(['shift']);
    expect(calls[4]?.result).not.toContain('shift');
  });
});

test('a revoked connection is not used again, also when a session over it is open', async () => {
  const { id, name } = await gateway.connect();
  const own = {
    ...{ type: 'mcp', name: 'note', description: 'Notes.', schema: { type: 'object' } },
    config: { connectionId: id, provider: 'mcp' },
  };
  const { play } = await gateway.createAgent({ tools: [gatewayOver(name), own] });
  const both = [
    { toolCalls: [{ name: 'note', arguments: { text: 'a' } }] },
    callThrough(name, 'note', { text: 'b' }),
  ];
  expect((await play(...both)).calls).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(gateway.server.sessionsOpen()).toBeGreaterThan(0);

  await gateway.api.ask('PATCH', `/api/connections/${id}`, { status: 'revoked' });
  gateway.server.calls.clear();
  const sessions = gateway.server.sessionsOpened();
  const { turn, calls } = await play(...both);
  expect(turn.outcome).toBe('completed');
  expect(calls.map(({ status, error }) => [status, error?.message])).toEqual([
    ['failed', `Connection ${name} is revoked. Please reconnect.`],
    ['failed', `Connection ${name} is revoked. Please reconnect.`],
  ]);
  expect([reached(), gateway.server.sessionsOpened()]).toEqual([[], sessions]);
});
