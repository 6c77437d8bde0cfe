import { expect, test } from 'vitest';
import { matchOffer } from '../../../../src/modules/agents/tools/match-offer.ts';
import type { ToolDefinition } from '../../../../src/domain/discovered-tool.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { ToolInputOf } from '../../../../src/domain/tool.ts';

const pay: ToolDefinition = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object' },
  annotations: { idempotentHint: true },
};

function answer(definition: ToolDefinition = pay) {
  const offer = {
    connectionId: 'c',
    connectionName: 'Bank',
    provider: 'mcp',
    tools: [{ name: 'pay', description: 'Pays.', inputSchema: {}, executeRef: 'bank.pay' }],
    definitions: new Map([['pay', definition]]),
    leftOut: [{ name: 'sell', reason: 'inputSchema: expected object' }],
  };
  return { status: 'answered', offer } as const;
}

function toTool(name: string, change: Partial<ToolInputOf<'mcp'>> = {}): ToolInputOf<'mcp'> {
  return { type: 'mcp', name, description: '', schema: {}, config: { connectionId: 'c' }, ...change };
}

test('a tool gets the definition of its server and the effect that its annotations hint at', () => {
  const tool = toTool('pay');
  expect(matchOffer(tool, answer())).toEqual({
    tool: { ...tool, settings: { effect: 'idempotent' } },
    errors: [],
    definition: pay,
  });
});

test('an effect that the operator has set is kept', () => {
  const tool = toTool('pay', { settings: { effect: 'unsafe' } });
  expect(matchOffer(tool, answer()).tool).toEqual(tool);
});

test('a tool is found by the name that its server gives it', () => {
  expect(matchOffer(toTool('send_money', { config: { tool: 'bank.pay' } }), answer()).definition).toBe(pay);
});

test.each([
  ['name', toTool('gone')],
  ['config.tool', toTool('pay', { config: { tool: 'gone' } })],
])('a tool that its server does not have is an error in the field %s', (field, tool) => {
  const message = 'The connection Bank has no tool "gone".';
  expect(matchOffer(tool, answer())).toEqual({ tool, errors: [{ field, message }], definition: null });
});

test('a tool whose definition cannot be used is an error that says why', () => {
  const message =
    'The connection Bank has no tool "sell", since its definition cannot be used: inputSchema: expected object.';
  expect(matchOffer(toTool('sell'), answer()).errors).toEqual([{ field: 'name', message }]);
});

test('a definition that is nested too deep is an error', () => {
  let inputSchema: JsonObject = {};
  for (let depth = 0; depth < 100; depth += 1) inputSchema = { properties: inputSchema };
  expect(matchOffer(toTool('pay'), answer({ ...pay, inputSchema })).errors).toMatchObject([
    { field: 'name' },
  ]);
});

test('a tool stays unchanged when its connection was not asked for tools', () => {
  const tool = toTool('pay');
  expect(matchOffer(tool, undefined)).toEqual({ tool, errors: [], definition: null });
});
