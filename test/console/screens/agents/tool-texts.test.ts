import { expect, test } from 'vitest';
import type { Agent, Tool } from '../../../../console/src/api/types.ts';
import { isLeftOut, toApprovalText } from '../../../../console/src/screens/agents/tool-texts.ts';

const toTool = (settings: Tool['settings']): Tool => ({
  ...{ id: 't1', type: 'function', name: 'refund', description: '', schema: {}, config: {} },
  settings,
});

const toRules = (more: object = {}): Agent['rules'] => ({
  ...{ toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
  ...more,
});

const when = { required: ['amount'] };

test.each([
  [undefined, undefined, 'by default'],
  [{ approval: 'never' }, undefined, 'never ask'],
  [{ approval: 'never' }, { approval: 'ask' }, 'ask'],
  [{ approval: 'always_ask' }, { approval: 'ask' }, 'always ask'],
  [{ approvalWhen: when }, undefined, 'sometimes'],
  [{ approval: 'never' }, { approvalWhen: when }, 'sometimes'],
  [{ approval: 'ask' }, { approvalWhen: when }, 'ask'],
] as const)('with the settings %j and the policy %j a call asks: %s', (settings, policy, text) => {
  const rules = toRules(policy && { toolPolicies: { refund: policy, other: { approval: 'always_ask' } } });
  expect(toApprovalText(toTool(settings), rules)).toBe(text);
});

test('an allowlist leaves out the tools that it does not name, but no gateway', () => {
  const tool = toTool({});
  expect(isLeftOut(tool, toRules())).toBe(false);
  expect(isLeftOut(tool, toRules({ toolAllowlist: ['refund'] }))).toBe(false);
  expect(isLeftOut(tool, toRules({ toolAllowlist: [] }))).toBe(true);
  const gateway: Tool = {
    ...{ id: 't2', type: 'mcp', name: 'mcp', description: '', schema: {} },
    config: { gateway: true },
  };
  expect(isLeftOut(gateway, toRules({ toolAllowlist: ['desk:*'] }))).toBe(false);
});
