import { expect, test } from 'vitest';
import { noRules, type Rules } from '../../src/domain/rules.ts';
import { checkRules } from '../../src/tools/check-rules.ts';

function fieldsOf(rules: Partial<Rules>): string[] {
  return checkRules({ ...noRules, ...rules }).map(({ field }) => field);
}

test('valid rules are accepted', () => {
  const policy = {
    schema: { properties: { amount: { maximum: 10 } } },
    patterns: { 'recipient.country': '[A-Z]{2}' },
    minimums: { amount: 1 },
    maximums: { amount: 1 },
    forbiddenFields: ['items.discount'],
  };
  expect(fieldsOf({ toolPolicies: { 'bank:pay': policy }, canaryTokens: ['Zebra-7719'] })).toEqual([]);
});

test.each([
  ['a pattern with a look-around', { patterns: { a: '(?=x)x' } }, 'toolPolicies.pay.patterns.a'],
  ['a pattern that is none', { patterns: { a: '(' } }, 'toolPolicies.pay.patterns.a'],
  ['a schema that is none', { schema: { properties: { a: { type: 'money' } } } }, 'toolPolicies.pay.schema'],
  ['a schema of something else', { schema: { type: 'array' } }, 'toolPolicies.pay.schema'],
  ['a path with an empty name', { forbiddenFields: ['a..b'] }, 'toolPolicies.pay.forbiddenFields.a..b'],
  [
    'limits that exclude each other',
    { minimums: { a: 2 }, maximums: { a: 1 } },
    'toolPolicies.pay.minimums.a',
  ],
])('%s is refused with its field', (_what, policy, field) => {
  expect(fieldsOf({ toolPolicies: { pay: policy } })).toEqual([field]);
});

test('a canary token that has only escape characters is refused', () => {
  expect(fieldsOf({ canaryTokens: ['Zebra-7719', '\\\\\\\\\\\\\\\\\\\\'] })).toEqual(['canaryTokens.1']);
});
