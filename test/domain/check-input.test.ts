import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkInput } from '../../src/domain/check-input.ts';

const schema = z.strictObject({ name: z.string(), tags: z.array(z.enum(['a', 'b'])).optional() });

function check(input: unknown, wanted: z.ZodType = schema) {
  const checked = checkInput(wanted, input, { whole: 'body' });
  return checked.success ? [] : checked.errors;
}

test('an invalid field is named by its path with the expected and the actual value', () => {
  expect(check({ name: 7, tags: ['a', 'c'] })).toEqual([
    { field: 'name', message: 'expected string, found number' },
    { field: 'tags.1', message: 'expected one of "a"|"b"' },
  ]);
});

test('a missing field is reported as missing', () => {
  expect(check({})).toEqual([{ field: 'name', message: 'expected string, found nothing' }]);
});

test('an invalid body is reported as a whole', () => {
  expect(check(null)).toEqual([{ field: 'body', message: 'expected object, found null' }]);
});

test('the list of invalid fields has a maximum length', () => {
  expect(check({ name: 'x', tags: Array.from({ length: 1000 }, () => 'c') })).toHaveLength(50);
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]));
  expect(check({ name: 'x', ...unknown })).toHaveLength(50);
});

test('a path begins with the path of the input', () => {
  expect(checkInput(schema, { name: 'x', a: 1 }, { within: ['servers', 'one'] })).toMatchObject({
    errors: [{ field: 'servers.one.a' }],
  });
});

describe('an unknown field', () => {
  const settings = z.strictObject({
    approval: z.enum(['never', 'ask']).optional(),
    timeoutMs: z.int().optional(),
  });
  const config = z.strictObject({ connectionId: z.string().optional() });
  const tool = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), settings: settings.optional(), config }),
    z.strictObject({ type: z.literal('agent'), agentId: z.string() }),
  ]);
  const agent = z.strictObject({
    name: z.string(),
    limits: z.strictObject({ maxIterations: z.int().optional() }).default({}),
    tools: z.array(tool).default([]),
    policies: z.record(z.string(), z.strictObject({ maxCallsPerTurn: z.int().optional() })).default({}),
    answer: z.union([z.string(), z.strictObject({ schema: z.string() })]).optional(),
    json: z.json().optional(),
  });
  const checkAgent = (input: object) => check({ name: 'A', ...input }, agent);
  const inTool = (fields: object) => checkAgent({ tools: [{ type: 'function', config: {}, ...fields }] });
  const meant = (field: string, other: string) => [
    { field, message: `unknown field: did you mean "${other}"?` },
  ];

  test('has an error of its own, with the known names when none is near', () => {
    expect(check({ name: 'x', one: 1, two: 2 }).map(({ field }) => field)).toEqual(['one', 'two']);
    const message = 'unknown field: expected one of "name", "tags"';
    expect(check({ name: 'x', colour: 'y' })).toEqual([{ field: 'colour', message }]);
    expect(check({ colour: 'y' }, z.strictObject({}))).toEqual([
      { field: 'colour', message: 'unknown field: expected no field of this name' },
    ]);
  });

  test('is compared with the fields of its object', () => {
    expect(check({ name: 'x', tagz: [] })).toEqual(meant('tagz', 'tags'));
    expect(inTool({ settings: { aproval: 'ask' } })).toEqual(meant('tools.0.settings.aproval', 'approval'));
    expect(inTool({ settings: { timeout_ms: 1 } })).toEqual(
      meant('tools.0.settings.timeout_ms', 'timeoutMs'),
    );
    expect(checkAgent({ policies: { pay: { maxCallPerTurn: 1 } } })).toEqual(
      meant('policies.pay.maxCallPerTurn', 'maxCallsPerTurn'),
    );
  });

  test('that belongs into an object inside is led there', () => {
    expect(inTool({ approval: 'ask' })).toEqual(meant('tools.0.approval', 'settings.approval'));
    expect(inTool({ aproval: 'ask' })).toEqual(meant('tools.0.aproval', 'settings.approval'));
    expect(checkAgent({ approval: 'ask' })).toEqual(meant('approval', 'tools[].settings.approval'));
  });

  test('that belongs elsewhere is led there by the whole path', () => {
    expect(inTool({ config: { maxIterations: 3 } })).toEqual(
      meant('tools.0.config.maxIterations', 'limits.maxIterations'),
    );
    expect(inTool({ config: { approval: 'ask' } })).toEqual(
      meant('tools.0.config.approval', 'tools[].settings.approval'),
    );
  });

  test('of an object in a union is named by the option that was meant', () => {
    expect(checkAgent({ answer: { schema: 'x', scheme: 'y' } })).toEqual(meant('answer.scheme', 'schema'));
  });

  test('with a long name, or many of them, costs little', () => {
    const long = 'x'.repeat(100_000);
    expect(checkAgent({ [long]: 1 })[0]?.field).toHaveLength(200);
  });
});
