import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { describeCondition, findAskingReasons } from '../../../src/engines/rules/approval-condition.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';

const large = { properties: { amount: { exclusiveMinimum: 50 } } };

function ask(schema: JsonObject, input: JsonObject): Promise<string[]> {
  return findAskingReasons([{ schema, arguments: input }], schemaChecksOf('conditions'));
}

describe('a condition', () => {
  test('asks for arguments that match, and not for others', async () => {
    expect(await ask(large, { amount: 51 })).toEqual(['amount > 50']);
    expect(await ask(large, { amount: 50 })).toEqual([]);
  });

  test('asks where the value is missing or has another type', async () => {
    expect(await ask(large, {})).toEqual(['amount > 50']);
    expect(await ask(large, { amount: '7' })).toEqual(['amount > 50']);
  });

  test('asks for a recipient outside of the company', async () => {
    const outside = { properties: { to: { not: { pattern: '@example\\.com$' } } } };
    expect(await ask(outside, { to: 'ada@example.com' })).toEqual([]);
    expect(await ask(outside, { to: 'eve@example.org' })).toEqual(['not (to matches @example\\.com$)']);
  });

  test('asks for arguments that cannot be judged', async () => {
    const checks = { matchesSchema: () => Promise.resolve(null) };
    expect(await findAskingReasons([{ schema: large, arguments: { amount: 1 } }], checks)).toEqual([
      'the arguments cannot be checked for: amount > 50',
    ]);
  });
});

test.each([
  [{ description: ' A large sum ' }, 'A large sum'],
  [{ properties: { a: { minimum: 1, maximum: 9 }, b: { const: 'x' } } }, 'a >= 1 and a <= 9 and b = "x"'],
  [
    { anyOf: [{ properties: { a: { minimum: 1 } } }, { properties: { b: { enum: [1, 2] } } }] },
    '(a >= 1 or b is one of 1, 2)',
  ],
  [{ properties: { to: { properties: { country: { const: 'XX' } } } } }, 'to.country = "XX"'],
  [{ required: ['note'] }, 'the arguments match approvalWhen'],
])('%j is described as %s', (schema, words) => {
  expect(describeCondition(schema)).toBe(words);
});
