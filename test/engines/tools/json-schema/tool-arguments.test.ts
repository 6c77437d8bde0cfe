import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../../../src/domain/errors.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import {
  checkToolArguments,
  checkStrictSchema,
  checkToolSchema,
} from '../../../../src/engines/tools/json-schema/tool-arguments.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const orderSchema: JsonObject = {
  type: 'object',
  properties: {
    channel: { type: 'string', pattern: '^#[a-z-]+$' },
    count: { type: 'integer', minimum: 1 },
    priority: { enum: ['low', 'high'] },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
    },
    when: { type: 'string', format: 'date-time' },
  },
  required: ['channel'],
  additionalProperties: false,
};

/** Definitions that each refer twice to the next one: 2^40 steps in 3 KB. */
function schemaBomb(): JsonObject {
  const definitions: JsonObject = { d40: { type: 'string' } };
  for (let index = 0; index < 40; index++) {
    const $ref = `#/$defs/d${index + 1}`;
    definitions[`d${index}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs: definitions };
}

describe('checkToolArguments', () => {
  it('accepts valid arguments', () => {
    const fitting = { channel: '#support', count: 2, lines: [{ sku: 'a' }], when: '2026-11-21T10:00:00Z' };
    expect(checkToolArguments(orderSchema, fitting)).toEqual([]);
  });

  it.each<[JsonObject, FieldError]>([
    [{ channel: undefined as never }, { field: 'channel', message: 'is required' }],
    [{ extra: true }, { field: 'extra', message: 'is not known' }],
    [{ count: 0 }, { field: 'count', message: 'must be >= 1' }],
    [{ priority: 'urgent' }, { field: 'priority', message: 'must be one of "low", "high"' }],
    [{ lines: [{}] }, { field: 'lines.0.sku', message: 'is required' }],
    [{ when: 'tomorrow' }, { field: 'when', message: 'must match format "date-time"' }],
  ])('names the first invalid field of %j and the expected value', (wrong, error) => {
    expect(checkToolArguments(orderSchema, { channel: '#support', ...wrong })).toEqual([error]);
  });

  it('applies patterns', () => {
    expect(checkToolArguments(orderSchema, { channel: 'support' })).toEqual([
      { field: 'channel', message: 'must match pattern "^#[a-z-]+$"' },
    ]);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*?,){11}P'])(
    'returns quickly for the pattern %s',
    (pattern) => {
      const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
      expect(checkToolArguments(schema, { text: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
      const keys = { type: 'object', patternProperties: { [pattern]: false } };
      expect(checkToolArguments(keys, { [`${'a'.repeat(5_000)}!`]: 1 })).toEqual([]);
    },
  );

  it('returns quickly for a pattern with very many states', () => {
    const pattern = '(?:[a-z]{1,999})(\\w{500}\\w{500})'.repeat(20);
    const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
    expect(checkToolArguments(schema, { text: 'a'.repeat(100_000) })).toEqual([]);
  });

  it.each([
    ['a pattern', { pattern: '^.{0,1000}$|x' }],
    ['the opposite of a pattern', { not: { pattern: '^.{0,1000}$|x' } }],
  ])('refuses a text that is too long for %s', (_what, text) => {
    const schema = { type: 'object', properties: { text: { type: 'string', ...text } } };
    const [error] = checkToolArguments(schema, { text: 'x'.repeat(100_000) });
    expect(error?.message).toContain('a text of 100000 characters is too long');
  });

  it.each([
    // The pattern that pydantic writes for `Decimal`.
    ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', ['12.5', '-0', '007'], ['-', '.', '', '1e5']],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', ['Passw0rd1'], ['password', 'Short1', 'Password']],
    ['^(?!no|never)\\w+$', ['yes', 'know'], ['no', 'nobody', 'never']],
    ['^(?![)(|])a', ['ab'], ['|a', 'b']],
  ])('matches look-aheads at the start of %s', (pattern, fitting, others) => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
    for (const text of fitting) expect(checkToolArguments(schema, { text }), text).toEqual([]);
    for (const text of others) expect(checkToolArguments(schema, { text }), text).toHaveLength(1);
    expect(checkStrictSchema(schema)).toBeNull();
  });

  it.each([
    ['a(?=b)'],
    ['(?<!a)b'],
    ['^(?!a)b|c'],
    ['^(?!a)*b'],
    ['(a)\\1'],
    ['['],
    ['(?P<a>'],
    ['^x{2000}$'],
  ])('does not check %s, which the tool has to, but all else', (pattern) => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', pattern }, count: { type: 'number' }, pattern: { const: 1 } },
      patternProperties: { [pattern]: { type: 'string' } },
      additionalProperties: false,
      not: { properties: { text: { pattern } }, required: ['text'] },
    };
    expect(checkToolSchema(schema)).toBeNull();
    expect(checkStrictSchema(schema)).toContain('/properties/text/pattern');
    expect(checkToolArguments(schema, { text: 'no', pattern: 1, more: 'x' })).toEqual([]);
    expect(checkToolArguments(schema, { text: 'no', count: 'x' })).toMatchObject([{ field: 'count' }]);
    expect(checkToolArguments(schema, { pattern: 2 })).toMatchObject([{ field: 'pattern' }]);
  });

  it('takes patterns that are none with the flag u', () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^\\d{3}\\-\\d$' } } };
    expect(checkStrictSchema(schema)).toBeNull();
    expect(checkToolArguments(schema, { text: '123-4' })).toEqual([]);
    expect(checkToolArguments(schema, { text: '1234' })).toHaveLength(1);
  });

  it('reads tuples as each version of JSON Schema defines them', () => {
    const tuple = [{ type: 'string' }, { type: 'number' }];
    const older = { $schema: draft07, type: 'object', properties: { pair: { type: 'array', items: tuple } } };
    const newer = {
      $schema: draft2020,
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: tuple } },
    };
    for (const schema of [older, newer]) {
      expect(checkToolArguments(schema, { pair: ['a', 1] })).toEqual([]);
      expect(checkToolArguments(schema, { pair: [1, 'a'] })).toHaveLength(1);
    }
  });

  it('keeps schemas with the same $id apart', () => {
    const one = { $id: 'https://example.com/a', type: 'object', required: ['one'] };
    const other = { $id: 'https://example.com/a', type: 'object', required: ['other'] };
    expect(checkToolArguments(one, {})[0]?.field).toBe('one');
    expect(checkToolArguments(other, {})[0]?.field).toBe('other');
  });

  it('follows a reference to the whole schema', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, size: { type: 'number' } } };
    expect(checkToolArguments(tree, { left: { left: { size: 1 } } })).toEqual([]);
    expect(checkToolArguments(tree, { left: { left: { size: '1' } } })).toMatchObject([
      { field: 'left.left.size' },
    ]);
  });

  it('accepts a schema that refers to itself endlessly without a stack overflow', () => {
    const schema = { type: 'object', allOf: [{ $ref: '#' }] };
    expect(checkToolArguments(schema, {})[0]?.message).toContain("the tool's schema cannot be used");
  });

  it('names at most twenty fields', () => {
    const branches = Array.from({ length: 500 }, (_, index) => ({ required: [`field${index}`] }));
    expect(checkToolArguments({ type: 'object', anyOf: branches }, {})).toHaveLength(20);
  });

  it('does not read inherited properties of objects as arguments', () => {
    const schema = { type: 'object', required: ['constructor'] };
    expect(checkToolArguments(schema, {})).toHaveLength(1);
  });
});

describe('checkToolSchema', () => {
  it('handles a very deeply nested schema without a stack overflow', () => {
    let schema: JsonObject = {};
    for (let depth = 0; depth < 20_000; depth++) schema = { a: schema };
    expect(checkToolSchema({ type: 'object', properties: schema })).toContain('too');
  });

  it.each([
    { type: 'object' },
    orderSchema,
    {
      $schema: draft07,
      type: 'object',
      definitions: { a: { type: 'string' } },
      properties: { a: { $ref: '#/definitions/a' } },
    },
    { $schema: draft2020, type: 'object', properties: {} },
    { type: 'object', properties: { pattern: { type: 'string', const: { pattern: '(?!' } } } },
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree' } },
      $defs: {
        tree: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
        },
      },
    },
  ] as JsonObject[])('accepts %j', (schema) => {
    expect(checkToolSchema(schema)).toBeNull();
  });

  it.each([
    [{}, 'at /type'],
    [{ type: 'array' }, 'at /type'],
    [{ $schema: 'https://example.com/mine', type: 'object' }, '/$schema'],
    [{ type: 'object', properties: { a: { type: 'text' } } }, '/properties/a/type'],
    [{ type: 'object', required: 'a' }, '/required'],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/missing' } } }, 'cannot be used'],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/x' } } }, 'cannot be used'],
    [{ type: 'object', properties: { a: { $ref: '#/%zz' } } }, 'cannot be used'],
    [{ type: 'object', description: 'x'.repeat(200_000) }, 'bytes long'],
    [schemaBomb(), 'too many times'],
  ] as [JsonObject, string][])('names the error of %j', (schema, part) => {
    expect(checkToolSchema(schema)).toContain(part);
  });
});
