import { describe, expect, test } from 'vitest';
import { findDefinitionErrors } from '../../../src/clients/code/define-agent.ts';
import {
  agentTool,
  clientTool,
  defineAgent,
  functionTool,
  gatewayTool,
  knowledgeBaseTool,
  mcpTool,
  workflowTool,
  z,
} from '../../../src/clients/code/index.ts';
import { defineFunction } from '../../../src/engines/functions/index.ts';

const functionParts = {
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string() }),
  run: () => 'refunded',
};
const refund = defineFunction(functionParts);
const agentParts = { name: 'Support', model: 'demo', instructions: '' };

/** Makes a tool of each helper with more options. */
const helpers: [string, (more: object) => unknown][] = [
  ['functionTool', (more) => functionTool(refund, more)],
  ['clientTool', (more) => clientTool({ name: 'pay', description: 'Pays.', input: z.object({}), ...more })],
  ['mcpTool', (more) => mcpTool({ tool: 'pay', connection: 'Bank', ...more })],
  ['gatewayTool', (more) => gatewayTool({ servers: ['Bank'], ...more })],
  ['workflowTool', (more) => workflowTool({ workflow: 'pay', ...more })],
  ['knowledgeBaseTool', (more) => knowledgeBaseTool({ name: 'docs', knowledgeBase: 'Docs', ...more })],
  ['agentTool', (more) => agentTool({ name: 'ask', agent: 'Other', ...more })],
];

describe.each(helpers)('%s', (_name, create) => {
  test('takes approval and effect beside the settings and in them', () => {
    expect(create({ approval: 'ask', effect: 'keyed' })).toMatchObject({
      settings: { approval: 'ask', effect: 'keyed' },
    });
    const settings = { approval: 'ask', timeoutMs: 500 };
    expect(create({ approval: 'ask', effect: 'keyed', settings })).toMatchObject({
      settings: { ...settings, effect: 'keyed' },
    });
  });

  test('refuses two values that differ, and names both', () => {
    expect(() => create({ approval: 'ask', settings: { approval: 'never' } })).toThrow(
      'approval: is "ask", but settings.approval is "never": expected one of them',
    );
    expect(() => create({ effect: 'keyed', settings: { effect: 'unsafe' } })).toThrow('settings.effect');
  });

  test('refuses an option that it does not know, with the nearest one', () => {
    expect(() => create({ aproval: 'ask' })).toThrow('aproval: unknown field: did you mean "approval"?');
    expect(() => create({ settings: { aproval: 'ask' } })).toThrow(
      'settings.aproval: unknown field: did you mean "approval"?',
    );
    expect(() => create({ timeoutMs: 500 })).toThrow(
      'timeoutMs: unknown field: did you mean "settings.timeoutMs"?',
    );
    expect(() => create({ approval: 'maybe' })).toThrow('approval: ');
  });
});

test('an option that leads nowhere is refused with the one that was meant', () => {
  const wrong = { name: 'ask', agnt: 'Other' } as unknown as Parameters<typeof agentTool>[0];
  expect(() => agentTool(wrong)).toThrow('agnt: unknown field: did you mean "agent"?');
});

test('a function with a part that functions do not have is refused', () => {
  expect(() => defineFunction({ ...functionParts, efect: 'read_only' } as typeof functionParts)).toThrow(
    'The function "refund" cannot be used: efect: unknown field: did you mean "effect"?',
  );
});

describe('an agent', () => {
  const define = (more: object) => () => defineAgent({ ...agentParts, ...more });

  test('with a field that agents do not have is refused', () => {
    expect(define({ instruction: '' })).toThrow('instruction: unknown field: did you mean "instructions"?');
    expect(define({ maxIterations: 3 })).toThrow('unknown field: did you mean "limits.maxIterations"?');
    expect(define({ rules: { tool_polices: {} } })).toThrow(
      'rules.tool_polices: unknown field: did you mean "toolPolicies"?',
    );
    expect(define({ rules: { toolPolicies: { refund: { aproval: 'ask' } } } })).toThrow(
      'rules.toolPolicies.refund.aproval: unknown field: did you mean "approval"?',
    );
  });

  test('with a copy of a tool or of a function that has more fields is refused', () => {
    const tool = functionTool(refund);
    expect(define({ tools: [tool, { ...tool, name: 'other', approval: 'ask' }] })).toThrow(
      'tools.1.approval: unknown field: did you mean "settings.approval"?',
    );
    expect(define({ tools: [{ ...tool, settings: { aproval: 'ask' } }] })).toThrow(
      'tools.0.settings.aproval',
    );
    expect(define({ tools: [{ ...refund, approval: 'ask' }] })).toThrow('approval: unknown field');
  });

  test('that is a copy with more fields has errors', () => {
    const agent = defineAgent({ ...agentParts, tools: [refund] });
    expect(findDefinitionErrors({ ...agent, name: 'Other' })).toEqual([]);
    const copy = { ...agent, limit: {} };
    expect(findDefinitionErrors(copy)).toEqual([
      { field: 'limit', message: 'unknown field: did you mean "limits"?' },
    ]);
  });
});
