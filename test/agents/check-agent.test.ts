import { expect, test } from 'vitest';
import { HoldfastError } from '../../src/domain/errors.ts';
import { noRules, type Rules } from '../../src/domain/rules.ts';
import { checkAgent } from '../../src/agents/check-agent.ts';

function problemOf(rules: Partial<Rules>): unknown {
  try {
    checkAgent({ checkModelName: () => null, checkTool: () => [] }, { rules: { ...noRules, ...rules } });
    return null;
  } catch (error) {
    return error instanceof HoldfastError ? error.toInfo() : error;
  }
}

test('an agent with valid rules is accepted', () => {
  expect(problemOf({ toolPolicies: { pay: { patterns: { reference: 'R-\\d+' } } } })).toBeNull();
});

test('an agent with invalid rules is refused, and every invalid field is named', () => {
  const pay = { patterns: { reference: 'R-(\\d' }, schema: { properties: { amount: { type: 'money' } } } };
  expect(problemOf({ toolPolicies: { pay }, canaryTokens: ['\\\\\\\\\\\\\\\\'] })).toMatchObject({
    code: 'INVALID_INPUT',
    details: [
      { field: 'rules.toolPolicies.pay.schema' },
      { field: 'rules.toolPolicies.pay.patterns.reference' },
      { field: 'rules.canaryTokens.0' },
    ],
  });
});
