import { describe, expect, test } from 'vitest';
import type { AttachedConnector } from '../../../src/domain/connector.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { noRules, type NamedConnection, type Rules } from '../../../src/domain/rules.ts';
import type { Tool, ToolConfigs } from '../../../src/domain/tool.ts';
import { toInnerToolId } from '../../../src/platform/lib/ids.ts';
import { isGatewayAllowed } from '../../../src/engines/rules/allowlist.ts';
import {
  findArgumentViolation,
  findLimitViolation,
  findToolViolation,
  listCallLimits,
} from '../../../src/engines/rules/find-violation.ts';
import { resolveCall, toCountedName, toolboxOf } from '../../../src/engines/tools/toolbox.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';

function toolParts(name: string) {
  return { id: `id-${name}`, name, description: '', schema: { type: 'object' } };
}

function tool(name: string, config: ToolConfigs['mcp']): Tool {
  return { ...toolParts(name), type: 'mcp', config };
}

const bank: AttachedConnector = {
  id: 'bank-id',
  name: 'bank',
  type: 'mcp',
  endpoint: 'https://bank.example/mcp',
  tools: ['pay', 'balance'],
  connectionId: 'connection',
};
const pay = tool('send_money', { connectorId: 'bank-id', tool: 'pay' });
const gateway = tool('mcp', { gateway: true });
const calculate: Tool = {
  ...toolParts('calculate'),
  type: 'function',
  config: { functionName: 'calculate' },
};
const box = { tools: [pay, gateway, calculate], connectors: [bank] };

interface Box {
  tools: Tool[];
  connectors: AttachedConnector[];
  connections?: NamedConnection[];
}

function toRuledCall(called: Tool, input: JsonObject, { connections, ...tools }: Box) {
  return resolveCall(called, input, toolboxOf(tools, connections));
}
const checks = schemaChecksOf('workspace');

function through(server: string, name: string, args: JsonObject = {}) {
  return toRuledCall(gateway, { action: 'call', server, tool: name, args }, box);
}

async function violation(
  rules: Partial<Rules>,
  call: ReturnType<typeof through>,
  quarantined: string[] = [],
) {
  const all = { ...noRules, ...rules };
  return findToolViolation(all, call, quarantined) ?? (await findArgumentViolation(all, call, checks));
}

describe('the allowlist', () => {
  const list = toRuledCall(gateway, { action: 'list' }, box);
  const direct = toRuledCall(pay, {}, box);

  test('allows every call when the agent has no allowlist', async () => {
    for (const call of [list, direct, through('bank', 'pay')]) expect(await violation({}, call)).toBeNull();
  });

  test('blocks every call when it is empty', async () => {
    for (const call of [list, direct, through('bank', 'pay')]) {
      expect(await violation({ toolAllowlist: [] }, call)).toMatchObject({ rule: 'allowlist' });
    }
  });

  test('matches a call through the gateway by its server and tool', async () => {
    const call = through('bank', 'pay');
    expect(await violation({ toolAllowlist: ['bank:pay'] }, call)).toBeNull();
    expect(await violation({ toolAllowlist: ['bank:*'] }, call)).toBeNull();
    for (const entry of ['mcp', 'pay', 'send_money', 'bank', 'bank:balance', 'bank2:*', 'Bank:pay']) {
      expect(await violation({ toolAllowlist: [entry] }, call)).toMatchObject({ rule: 'allowlist' });
    }
  });

  test('matches a list action of the gateway by the name of the gateway', async () => {
    expect(await violation({ toolAllowlist: ['mcp'] }, list)).toBeNull();
    expect(await violation({ toolAllowlist: ['bank:*'] }, list)).toMatchObject({ rule: 'allowlist' });
  });

  test('matches a direct call of a tool by the name of the tool or by its server', async () => {
    for (const entry of ['send_money', 'bank:pay', 'bank:*']) {
      expect(await violation({ toolAllowlist: [entry] }, direct)).toBeNull();
    }
    expect(await violation({ toolAllowlist: ['pay'] }, direct)).toMatchObject({ rule: 'allowlist' });
  });

  test('allows the gateway when it names the gateway or any tool behind it', () => {
    expect(isGatewayAllowed({ toolAllowlist: ['bank:pay'] }, 'mcp')).toBe(true);
    expect(isGatewayAllowed({ toolAllowlist: ['mcp'] }, 'mcp')).toBe(true);
    expect(isGatewayAllowed({ toolAllowlist: ['send_money'] }, 'mcp')).toBe(false);
  });
});

describe('a policy', () => {
  const policy = { maximums: { amount: 10 } };
  const direct = toRuledCall(pay, { amount: 11 }, box);

  test.each(['send_money', 'bank:pay'])(
    'for %s applies to the direct call and to the call through the gateway',
    async (name) => {
      const rules = { toolPolicies: { [name]: policy } };
      const expected = { rule: 'policy', field: 'amount' };
      expect(await violation(rules, direct)).toMatchObject(expected);
      expect(await violation(rules, through('bank', 'pay', { amount: 11 }))).toMatchObject(expected);
      expect(await violation(rules, through('bank', 'pay', { amount: 10 }))).toBeNull();
    },
  );

  test('for the tool of a server applies to the call through the gateway when it has the bare name of the tool', async () => {
    const rules = { toolPolicies: { pay: policy } };
    expect(await violation(rules, through('bank', 'pay', { amount: 11 }))).toMatchObject({ rule: 'policy' });
  });

  test('for a tool over a connection applies to a call through the gateway that reaches the same tool', async () => {
    const tools = [
      tool('renamed', { connectionId: 'c1', provider: 'mcp', tool: 'note' }),
      tool('post', { connectionId: 'c2', provider: 'slack', tool: 'sendMessage' }),
    ];
    const connections = [
      { id: 'c1', name: 'my server', provider: 'mcp' },
      { id: 'c2', name: 'my slack', provider: 'slack' },
    ];
    const own = { tools: [...tools, gateway], connectors: [bank], connections };
    const call = (server: string, name: string) =>
      toRuledCall(gateway, { action: 'call', server, tool: name, args: { amount: 11 } }, own);
    for (const name of ['renamed', 'c1:note', 'my server:note', 'note']) {
      const rules = { toolPolicies: { [name]: policy } };
      expect(await violation(rules, call('my server', 'note'))).toMatchObject({ rule: 'policy' });
      expect(await violation(rules, call('my server', 'other'))).toBeNull();
    }
    expect(
      await violation({ toolPolicies: { post: policy } }, call('my slack', 'slack_sendMessage')),
    ).toMatchObject({
      rule: 'policy',
    });
  });

  test('for a tool of a connection binds the direct tool and the one behind the gateway, under all names', async () => {
    const direct = [
      tool('renamed', { connectionId: 'c1', provider: 'mcp', tool: 'note' }),
      tool('post', { connectionId: 'c2', provider: 'slack', tool: 'sendMessage' }),
      tool('other', { connectionId: 'c3', provider: 'mcp', tool: 'note' }),
    ] as const;
    const own = {
      tools: [...direct, gateway],
      connectors: [bank],
      connections: [
        { id: 'c1', name: 'crm', provider: 'mcp' },
        { id: 'c2', name: 'team chat', provider: 'slack' },
        { id: 'c3', name: 'wiki', provider: 'mcp' },
        { id: 'connection', name: 'connector bank', provider: 'mcp' },
      ],
    };
    const args = { amount: 11 };
    const call = (server: string, name: string) =>
      toRuledCall(gateway, { action: 'call', server, tool: name, args }, own);
    const [renamed, post, other] = direct.map((one) => toRuledCall(one, args, own));
    const bound = (key: string, ...found: (ReturnType<typeof through> | undefined)[]) =>
      Promise.all(
        found.map(async (one) => one && (await violation({ toolPolicies: { [key]: policy } }, one)) !== null),
      );
    const calls = [renamed, call('crm', 'note'), other, call('wiki', 'note')];
    expect(await bound('crm:note', ...calls)).toEqual([true, true, false, false]);
    for (const key of ['team chat:slack_sendMessage', 'team chat:sendMessage', 'slack:sendMessage', 'post'])
      expect(await bound(key, post, call('team chat', 'slack_sendMessage'))).toEqual([true, true]);
    // The connection of a connector is no way around its policies.
    expect(await bound('bank:pay', call('connector bank', 'pay'), call('bank', 'pay'))).toEqual([true, true]);
    const [first, , third] = direct.map((one) => toRuledCall(one, {}, own));
    const list = { toolAllowlist: ['crm:*'] };
    expect(first && (await violation(list, first))).toBeNull();
    expect(third && (await violation(list, third))).toMatchObject({ rule: 'allowlist' });
  });

  test('for the gateway checks all arguments of the call', async () => {
    const rules = { toolPolicies: { mcp: { allowedValues: { server: ['bank'] } } } };
    expect(await violation(rules, through('bank', 'pay'))).toBeNull();
    expect(await violation(rules, through('other', 'pay'))).toMatchObject({
      rule: 'policy',
      field: 'server',
    });
  });

  test('is not found for a tool that is named like a property of every object', async () => {
    expect(
      await violation(
        {},
        toRuledCall({ ...toolParts('constructor'), type: 'function', config: {} }, {}, box),
      ),
    ).toBeNull();
  });
});

test('a call of a quarantined tool is blocked, also through the gateway', async () => {
  expect(await violation({}, toRuledCall(pay, {}, box), [pay.id])).toMatchObject({ rule: 'quarantine' });
  expect(await violation({}, through('bank', 'pay'), [pay.id])).toMatchObject({ rule: 'quarantine' });
  expect(await violation({}, through('bank', 'balance'), [pay.id])).toBeNull();
});

test('a call of a tool behind the gateway is blocked when that tool is quarantined', async () => {
  const inner = toInnerToolId(gateway.id, 'bank:balance');
  expect(await violation({}, through('bank', 'balance'), [inner])).toMatchObject({ rule: 'quarantine' });
  expect(await violation({}, through('bank', 'pay'), [inner])).toBeNull();
});

test('a canary token in the arguments of the gateway blocks the call, and no message repeats the token', async () => {
  const token = 'Zebra-7719-Quokka';
  const found = await violation({ canaryTokens: [token] }, through('bank', 'pay', { note: token }));
  expect(found).toMatchObject({ rule: 'canary' });
  expect(JSON.stringify(found)).not.toContain(token);
});

test('the limits of a call are found under every name of its tool', () => {
  const toolPolicies = { 'bank:pay': { maxCallsPerTurn: 1 }, send_money: { maxCallsPerDay: 5 }, mcp: {} };
  const limits = listCallLimits({ ...noRules, toolPolicies }, through('bank', 'pay'));
  expect(limits.map(([name]) => name)).toEqual(['bank:pay', 'send_money']);
});

test('direct calls of a tool and its calls through the gateway are counted together', () => {
  expect(toCountedName('bank:pay', true, toolboxOf(box))).toEqual({
    key: 'bank:pay',
    perDay: true,
    names: ['bank:pay', 'send_money'],
    targets: ['bank:pay'],
  });
  expect(toCountedName('send_money', false, toolboxOf(box)).targets).toContain('bank:pay');
});

test.each([
  [{ maxCallsPerTurn: 2 }, { inTurn: 2, inDay: null }, null],
  [{ maxCallsPerTurn: 2 }, { inTurn: 3, inDay: null }, 'pay may be called 2 times in one turn at most.'],
  [{ maxCallsPerTurn: 1 }, { inTurn: 2, inDay: 9 }, 'pay may be called once in one turn at most.'],
  [{ maxCallsPerDay: 9 }, { inTurn: 3, inDay: 9 }, null],
  [
    { maxCallsPerDay: 0 },
    { inTurn: 1, inDay: 1 },
    'pay may be called 0 times a day at most; days begin at midnight UTC.',
  ],
])('a limit of %j is checked against the count %j', (policy, count, message) => {
  expect(findLimitViolation('pay', policy, count)?.message ?? null).toBe(message);
});
