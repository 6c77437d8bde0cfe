import { expect, test } from 'vitest';
import { noRules, type Rules } from '../../../src/domain/rules.ts';
import { checkRules, findUncheckedRules } from '../../../src/engines/tools/check-rules.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';

async function fieldsOf(rules: Partial<Rules>): Promise<string[]> {
  const errors = await checkRules({ ...noRules, ...rules }, schemaChecksOf('workspace'));
  return errors.map(({ field }) => field);
}

test('valid rules are accepted', async () => {
  const policy = {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $comment: 'Names of properties and values are no keywords.',
      properties: {
        amount: { maximum: 10 },
        maxLenght: { const: { emial: 1 }, default: { format: 'emial' } },
      },
      patternProperties: { '^to': { type: 'string', format: 'email', title: 'To', examples: [{ foo: 1 }] } },
      if: { required: ['amount'] },
      then: { minProperties: 1 },
    },
    patterns: { 'recipient.country': '[A-Z]{2}' },
    minimums: { amount: 1 },
    maximums: { amount: 1 },
    forbiddenFields: ['items.discount'],
  };
  expect(await fieldsOf({ toolPolicies: { 'bank:pay': policy }, canaryTokens: ['Zebra-7719'] })).toEqual([]);
});

test.each([
  ['a pattern with a look-around', { patterns: { a: '(?=x)x' } }, 'toolPolicies.pay.patterns.a'],
  ['a pattern that is none', { patterns: { a: '(' } }, 'toolPolicies.pay.patterns.a'],
  ['a schema that is none', { schema: { properties: { a: { type: 'money' } } } }, 'toolPolicies.pay.schema'],
  ['a schema of something else', { schema: { type: 'array' } }, 'toolPolicies.pay.schema'],
  [
    'a schema with a keyword that nobody checks',
    { schema: { properties: { to: { anyOf: [{ maxLenght: 3 }] } } } },
    'toolPolicies.pay.schema.properties.to.anyOf.0.maxLenght',
  ],
  [
    'a schema with a format that nobody checks',
    { schema: { $defs: { to: { type: 'string', format: 'emial' } } } },
    'toolPolicies.pay.schema.$defs.to.format',
  ],
  [
    'a schema with a keyword of another version',
    { schema: { properties: { a: { items: { type: 'string' }, additionalItems: false } } } },
    'toolPolicies.pay.schema.properties.a.additionalItems',
  ],
  [
    'a schema with a keyword that says nothing alone',
    { schema: { then: { required: ['a'] } } },
    'toolPolicies.pay.schema.then',
  ],
  ['a path with an empty name', { forbiddenFields: ['a..b'] }, 'toolPolicies.pay.forbiddenFields.a..b'],
  [
    'limits that exclude each other',
    { minimums: { a: 2 }, maximums: { a: 1 } },
    'toolPolicies.pay.minimums.a',
  ],
])('%s is refused with its field', async (_what, policy, field) => {
  expect(await fieldsOf({ toolPolicies: { pay: policy } })).toEqual([field]);
});

test('a canary token of invisible characters is refused', async () => {
  expect(await fieldsOf({ canaryTokens: ['Zebra-7719', 'Zebra\u200b\u200b \u200b'] })).toEqual([
    'canaryTokens.1',
  ]);
});

test('a stored policy with a keyword that nobody checks is named', () => {
  const toolPolicies = { pay: { schema: { properties: { a: { maxLenght: 3 } } } }, other: { schema: {} } };
  expect(findUncheckedRules({ toolPolicies }).map(({ field }) => field)).toEqual([
    'rules.toolPolicies.pay.schema.properties.a.maxLenght',
  ]);
});
