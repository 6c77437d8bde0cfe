import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { isClosedSchema } from '../../../../src/engines/models/schemas/closed-schema.ts';
import { isStrictSchema } from '../../../../src/engines/models/schemas/strict-schema.ts';
import { walkSchema } from '../../../../src/engines/models/schemas/walk-schema.ts';

const text: JsonObject = { type: 'string' };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  };
}

const tree = object(
  { name: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
  { $defs: { node: object({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) } },
);

describe('the strict mode of OpenAI', () => {
  test.each([
    ['closed objects with all fields', object({ a: text, b: object({ c: { enum: ['x', 'y'] } }) })],
    ['null in place of a missing field', object({ a: { type: ['string', 'null'] } })],
    ['schemas that contain themselves', tree],
    [
      'bounds of numbers and lists',
      object({ a: { type: 'integer', minimum: 1 }, b: { type: 'array', items: text, maxItems: 2 } }),
    ],
  ])('takes %s', (_name, schema) => {
    expect(isStrictSchema(schema)).toBe(true);
  });

  test.each([
    ['optional fields', object({ a: text }, { required: [] })],
    ['open objects', object({ a: text }, { additionalProperties: true })],
    ['objects that do not say', object({ a: { type: 'object', properties: { b: text }, required: ['b'] } })],
    ['lengths of texts', object({ a: { type: 'string', maxLength: 3 } })],
    ['keywords of other kinds', object({ a: { allOf: [text] } })],
    ['alternatives at the root', object({ a: text }, { anyOf: [{ required: ['a'] }] })],
    ['fields of any type', object({ a: {} })],
    ['formats that it does not know', object({ a: { type: 'string', format: 'uri' } })],
    ['fields of any type, as a boolean', object({ a: true })],
    ['alternatives of any type', object({ a: { anyOf: [text, true] } })],
    ['lists of anything', object({ a: { type: 'array' } })],
    ['lists whose elements are of any type', object({ a: { type: ['array', 'null'], items: true } })],
    ['tuples of draft-07', object({ a: { type: 'array', items: [text] } })],
    [
      'a description beside a reference',
      object({ a: { $ref: '#/$defs/b', description: 'B' } }, { $defs: { b: text } }),
    ],
  ])('does not take %s', (_name, schema) => {
    expect(isStrictSchema(schema)).toBe(false);
  });
});

describe('the output format of Anthropic', () => {
  test.each([
    ['closed objects', object({ a: text })],
    ['objects that do not say, and optional fields', { type: 'object', properties: { a: text } }],
    ['lengths of texts, which become descriptions', object({ a: { type: 'string', maxLength: 3 } })],
  ])('takes %s', (_name, schema) => {
    expect(isClosedSchema(schema as JsonObject)).toBe(true);
  });

  test.each([
    ['schemas that contain themselves', tree],
    ['open objects', object({ a: { type: 'object' } })],
    ['maps', object({ a: object({}, { additionalProperties: text }) })],
    ['fields of any type', object({ a: {} })],
    ['fields of any type, as a boolean', object({ a: true })],
    ['fields that must not be there', object({ a: text, b: false })],
    ['lists of anything', object({ a: { type: 'array' } })],
    ['objects among the values of a field', object({ a: { enum: ['x', { y: 1 }] } })],
    [
      'references that are combined',
      object({ a: { allOf: [{ $ref: '#/$defs/b' }] } }, { $defs: { b: text } }),
    ],
    [
      'many optional fields',
      object(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, text])), { required: [] }),
    ],
    [
      'many unions',
      object(
        Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`f${i}`, { type: ['string', 'null'] }])),
      ),
    ],
  ])('does not take %s', (_name, schema) => {
    expect(isClosedSchema(schema)).toBe(false);
  });
});

test('a reference that leads nowhere counts as recursion', () => {
  expect(walkSchema(object({ a: { $ref: '#/$defs/gone' } })).isRecursive).toBe(true);
  expect(walkSchema(object({ a: { $ref: 'https://example.com/a' } })).isRecursive).toBe(true);
});
