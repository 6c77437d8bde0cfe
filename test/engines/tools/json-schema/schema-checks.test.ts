import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/domain/json.ts';
import { createSchemaChecks } from '../../../../src/engines/tools/json-schema/schema-checks.ts';
import { createSchemaThreads } from '../../../../src/engines/tools/json-schema/schema-threads.ts';

const limits = { timeoutMs: 1_500, maxMegabytes: 64 };
const patterned = { type: 'object', properties: { a: { type: 'string', pattern: '^.{0,1000}$' } } };

function repeat<Item>(count: number, toItem: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => toItem(index));
}

function listOf(items: JsonObject): JsonObject {
  return { type: 'object', properties: { list: { type: 'array', ...items } } };
}

function nest(levels: number, inside: JsonValue): JsonObject {
  return { a: levels === 1 ? inside : nest(levels - 1, inside) };
}

const attacks: [string, JsonObject, JsonObject][] = [
  [
    '`uniqueItems` over 20,000 objects',
    listOf({ uniqueItems: true }),
    { list: repeat(20_000, (index) => ({ index, text: 'the same text' })) },
  ],
  [
    '`anyOf` of 4,000 over 9,000 integers',
    listOf({ items: { anyOf: [...repeat(4_000, (index) => ({ const: -1 - index })), { type: 'integer' }] } }),
    { list: repeat(9_000, (index) => index) },
  ],
];

/** Starts both threads, so that no order of events depends on how long that takes. */
async function createWarmChecks() {
  const checksOf = createSchemaChecks(createSchemaThreads(limits));
  await Promise.all(['one', 'two'].map((owner) => checksOf(owner).findPatternProblem('a')));
  return checksOf;
}

test.each(attacks)('%s is given up while others are served', async (_what, schema, value) => {
  const before = process.memoryUsage().rss;
  const checksOf = await createWarmChecks();
  const ended: string[] = [];
  const note = (name: string) => () => ended.push(name);
  const slow = checksOf('hostile').checkSchema(schema, value);
  const waiting = checksOf('hostile').checkSchema(patterned, { a: 'x'.repeat(1_000) });
  const other = checksOf('other').checkSchema(patterned, { a: 'x'.repeat(1_001) });
  await Promise.all([
    slow.then(note('slow')),
    waiting.then(note('waiting')),
    other.then(note('in a thread')),
    checksOf('other').checkSchema({ type: 'object' }, {}).then(note('small')),
  ]);
  expect(ended).toEqual(['small', 'in a thread', 'slow', 'waiting']);
  const [error] = await slow;
  expect(error?.message).toMatch(/^cannot be checked: (it took longer than|it took more than|a schema of)/);
  expect(await waiting).toEqual([]);
  expect(await other).toMatchObject([{ field: 'a' }]);
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
});

test('a schema that refers to itself twice at each level is given up', async () => {
  const checks = createSchemaChecks(createSchemaThreads(limits))('workspace');
  const schema = { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } };
  const [error] = await checks.checkSchema(schema, nest(40, 1));
  expect(error?.message).toMatch(/^cannot be checked: it took (longer|more) than/);
  expect(await checks.checkSchema(schema, nest(3, {}))).toEqual([]);
});

test('small work is done without a thread', async () => {
  const checks = createSchemaChecks(() => Promise.reject(new Error('a thread was asked for')))('workspace');
  const schema = {
    type: 'object',
    properties: { to: { $ref: '#/$defs/text' }, note: { type: 'string', maxLength: 5000 } },
    required: ['to'],
    $defs: { text: { type: 'string' } },
  };
  expect(await checks.checkSchema(schema, { to: 'a', note: 'x'.repeat(4000) })).toEqual([]);
  expect(await checks.checkForeign(schema, {})).toEqual({
    fields: [{ field: 'to', message: 'is required' }],
  });
  expect(await checks.checkForeign({ type: 'array' }, {})).toHaveProperty('problem');
  expect(await checks.matchesWhole('[a-z]{1,20}', ['one', 'two'])).toBe(true);
  expect(await checks.matchesWhole('[a-z]{1,20}', ['one', '2'])).toBe(false);
});

test('a schema, a pattern and texts are checked in a thread as they are outside', async () => {
  const checks = createSchemaChecks(createSchemaThreads(limits))('workspace');
  expect(await checks.findSchemaProblem(patterned)).toBeNull();
  expect(await checks.findSchemaProblem({ type: 'array' })).toContain('at /type');
  expect(await checks.findPatternProblem('[a-z]+')).toBeNull();
  expect(await checks.findPatternProblem('(?=a)')).not.toBeNull();
  expect(await checks.matchesWhole('x{0,1000}', ['x'.repeat(1_000), ''])).toBe(true);
  expect(await checks.matchesWhole('x{0,1000}', ['x'.repeat(1_001)])).toBe(false);
});

test('a schema whose check is given up is refused with the reason', async () => {
  const checks = createSchemaChecks(createSchemaThreads({ timeoutMs: 1 }))('workspace');
  const properties = Object.fromEntries(repeat(3_000, (index) => [`field${index}`, { type: 'string' }]));
  expect(await checks.findSchemaProblem({ type: 'object', properties })).toBe(
    'The schema cannot be checked: it took longer than 1 ms.',
  );
});

test('data that is nested too deeply for a thread does not pass', async () => {
  const checks = createSchemaChecks(createSchemaThreads(limits))('workspace');
  let deep: JsonObject = {};
  for (let level = 0; level < 20_000; level += 1) deep = { deep };
  expect(await checks.checkSchema(listOf({ uniqueItems: true }), deep)).toMatchObject([
    { message: 'cannot be checked: it is nested too deeply' },
  ]);
});

test.each([
  ['number', { type: 'number' }],
  ['integer', { type: 'integer' }],
  ['number or null', { type: ['number', 'null'] }],
])('a number that JSON cannot hold is no %s', async (_what, degrees) => {
  const checksOf = createSchemaChecks(createSchemaThreads(limits));
  const schema = { type: 'object', properties: { degrees } };
  const value = JSON.parse('{"degrees": 1e999}') as JsonObject;
  expect(await checksOf('one').checkSchema(schema, value)).toMatchObject([{ field: 'degrees' }]);
});
