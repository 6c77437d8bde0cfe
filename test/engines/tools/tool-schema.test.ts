import { describe, expect, test } from 'vitest';
import type { ToolType } from '../../../src/domain/tool.ts';
import { compileValidator } from '../../../src/platform/http/validation.ts';
import { listToolTypes } from '../../../src/engines/tools/find-tool-type.ts';
import { toolInputSchema, toolSchema } from '../../../src/engines/tools/tool-schema.ts';

const validate = compileValidator({ schema: toolInputSchema });

function toolOf(type: ToolType, config: object) {
  return { type, name: 'tool', description: '', schema: { type: 'object' }, config };
}

/** A value for each field that the `config` of some type of tool has. */
const values = {
  workflowId: 'w',
  functionName: 'f',
  knowledgeBaseId: 'k',
  agentId: 'a',
  agentName: 'n',
  connectionId: 'c',
  provider: 'p',
  connectorId: 'i',
  server: 's',
  tool: 't',
  gateway: true,
  servers: ['one'],
  detach: true,
  model: 'm',
};

const own = {
  agent: ['agentId', 'agentName', 'inheritRules'],
  function: ['runs', 'functionName', 'connectionId', 'provider', 'knowledgeBaseId', 'model', 'inheritRules'],
  knowledge_base: ['knowledgeBaseId'],
  mcp: ['connectionId', 'provider', 'connectorId', 'server', 'tool', 'gateway', 'servers'],
  workflow: ['workflowId', 'detach'],
} satisfies Partial<Record<ToolType, string[]>>;

const cases = Object.entries(own).map(([type, names]) => ({
  type: type as keyof typeof own,
  config: Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
}));

describe.each(cases)('the config of a tool of type $type', ({ type, config }) => {
  test('accepts the fields of its own type', () => {
    expect(validate(toolOf(type, config))).toEqual({ value: toolOf(type, config) });
    expect(validate(toolOf(type, {}))).toEqual({ value: toolOf(type, {}) });
  });

  test('lists its fields when it gets an unknown one', () => {
    const names = own[type].map((name) => `"${name}"`).join(', ');
    const details = [{ field: 'config.colour', message: `unknown field: expected one of ${names}` }];
    expect(validate(toolOf(type, { ...config, colour: 'red' }))).toMatchObject({ error: { details } });
  });

  test('is returned as it is stored', () => {
    const stored = { ...toolOf(type, config), id: 't1' };
    expect(toolSchema.parse(stored)).toEqual(stored);
  });
});

test('an unknown type is refused with the list of known types', () => {
  const known = listToolTypes().map(({ type }) => `"${type}"`);
  expect(known).toEqual(expect.arrayContaining(['"agent"', '"mcp"']));
  const message = `expected one of ${known.join('|')}`;
  expect(validate({ ...toolOf('mcp', {}), type: 'magic' })).toMatchObject({
    error: { details: [{ field: 'type', message }] },
  });
});

test('a config that is not an object is refused', () => {
  expect(validate(toolOf('mcp', []))).toMatchObject({ error: { details: [{ field: 'config' }] } });
});
