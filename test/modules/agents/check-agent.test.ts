import { expect, test } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { noRules, type Rules } from '../../../src/domain/rules.ts';
import { checkAgent } from '../../../src/modules/agents/check-agent.ts';

async function problemOf(rules: Partial<Rules>): Promise<unknown> {
  try {
    const checks = { checkModelName: () => null, checkTool: () => Promise.resolve([]) };
    await checkAgent(checks, { workspaceId: 'workspace' }, { rules: { ...noRules, ...rules } });
    return null;
  } catch (error) {
    return error instanceof HoldfastError ? error.toInfo() : error;
  }
}

test('an agent with valid rules is accepted', async () => {
  expect(await problemOf({ toolPolicies: { pay: { patterns: { reference: 'R-\\d+' } } } })).toBeNull();
});

test('an agent with invalid rules is refused, and every invalid field is named', async () => {
  const pay = { patterns: { reference: 'R-(\\d' }, schema: { properties: { amount: { type: 'money' } } } };
  expect(
    await problemOf({ toolPolicies: { pay }, canaryTokens: ['Zebra\u200b\u200b \u200b'] }),
  ).toMatchObject({
    code: 'INVALID_INPUT',
    details: [
      { field: 'rules.toolPolicies.pay.schema' },
      { field: 'rules.toolPolicies.pay.patterns.reference' },
      { field: 'rules.canaryTokens.0' },
    ],
  });
});
