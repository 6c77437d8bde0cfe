import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolPolicy } from '../../../src/domain/rules.ts';
import { findPolicyBreach } from '../../../src/engines/rules/tool-policy.ts';
import { createSchemaChecks, schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';
import { createSchemaThreads } from '../../../src/engines/tools/json-schema/schema-threads.ts';

function breach(policy: ToolPolicy, input: JsonObject) {
  return findPolicyBreach(policy, input, schemaChecksOf('workspace'));
}

const order = {
  amount: 50,
  recipient: { country: 'DE', 'e.mail': 'a@example.com' },
  items: [{ price: 5 }, { price: 9, tags: ['a', 'b'] }],
};

describe('arguments pass a policy with', () => {
  test.each<[string, ToolPolicy]>([
    ['an empty policy', {}],
    ['limits of numbers', { minimums: { amount: 50 }, maximums: { amount: 50, 'items.price': 9 } }],
    ['allowed values', { allowedValues: { 'recipient.country': ['DE', 'FR'], 'items.tags': ['a', 'b'] } }],
    ['an allowed array', { allowedValues: { 'items.tags': [['a', 'b']] } }],
    ['an allowed object', { allowedValues: { 'items.0': [1], recipient: [order.recipient] } }],
    ['patterns, also of numbers', { patterns: { 'recipient.country': '[A-Z]{2}', amount: '\\d+' } }],
    [
      'forbidden fields that are missing',
      { forbiddenFields: ['cc', 'items.discount', 'recipient.country.code'] },
    ],
    [
      'limits of fields that are missing',
      { minimums: { tip: 1 }, patterns: { note: 'x' }, allowedValues: { a: [] } },
    ],
    ['a schema', { schema: { properties: { amount: { maximum: 50 } }, required: ['amount'] } }],
  ])('%s', async (_what, policy) => {
    expect(await breach(policy, order)).toBeNull();
  });
});

describe('arguments violate', () => {
  test.each<[string, ToolPolicy, string]>([
    ['a minimum', { minimums: { amount: 51 } }, 'amount'],
    ['a maximum', { maximums: { amount: 49.5 } }, 'amount'],
    ['a maximum of an element', { maximums: { 'items.price': 8 } }, 'items.price'],
    ['a limit of what is no number', { maximums: { 'recipient.country': 5 } }, 'recipient.country'],
    ['allowed values', { allowedValues: { 'recipient.country': ['FR'] } }, 'recipient.country'],
    ['allowed values by its kind', { allowedValues: { amount: ['50'] } }, 'amount'],
    ['allowed values of elements', { allowedValues: { 'items.tags': ['a'] } }, 'items.tags'],
    ['a pattern, which holds for the whole', { patterns: { 'recipient.country': 'D' } }, 'recipient.country'],
    ['a pattern of what is no text', { patterns: { recipient: '.*' } }, 'recipient'],
    ['a pattern that cannot be used', { patterns: { 'recipient.country': '(?=D)DE' } }, 'recipient.country'],
    ['a forbidden field', { forbiddenFields: ['recipient.country'] }, 'recipient.country'],
    ['a forbidden field of an element', { forbiddenFields: ['items.tags'] }, 'items.tags'],
    ['a forbidden field with a dot', { forbiddenFields: ['recipient.e.mail'] }, 'recipient.e.mail'],
    ['a schema', { schema: { properties: { amount: { maximum: 49 } } } }, 'amount'],
    ['a schema by what is missing', { schema: { required: ['note'] } }, 'note'],
  ])('%s', async (_what, policy, field) => {
    expect(await breach(policy, order)).toMatchObject({ field });
  });
});

test('properties that every object has do not count as fields', async () => {
  expect(
    await breach({ forbiddenFields: ['constructor', '__proto__', 'recipient.toString'] }, order),
  ).toBeNull();
});

test('the message of a violation says what was expected', async () => {
  expect((await breach({ maximums: { amount: 10 } }, order))?.message).toBe('must be a number of at most 10');
  expect((await breach({ allowedValues: { amount: [1, 2] } }, order))?.message).toBe('must be one of 1, 2');
  expect((await breach({ forbiddenFields: ['amount'] }, order))?.message).toBe('is forbidden');
});

test('a text that is too long for its pattern violates the policy', async () => {
  const policy = { patterns: { note: '(a|b){500}c*' } };
  expect(await breach(policy, { note: 'a'.repeat(1_000_000) })).toMatchObject({ field: 'note' });
});

test('a policy that cannot be checked in time is broken', async () => {
  const schema = { properties: { ids: { type: 'array', uniqueItems: true } } };
  const ids = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'the same text' }));
  const checks = createSchemaChecks(createSchemaThreads({ timeoutMs: 200 }))('workspace');
  expect(await findPolicyBreach({ schema }, { ids }, checks)).toEqual({
    field: '',
    message: 'cannot be checked: it took longer than 200 ms',
  });
  const patterns = { note: '(a|b){500}c*' };
  const late = createSchemaChecks(createSchemaThreads({ timeoutMs: 1 }))('workspace');
  expect(await findPolicyBreach({ patterns }, { note: 'a'.repeat(50_000) }, late)).toMatchObject({
    field: 'note',
  });
});
