import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/domain/json.ts';
import { mergeTop } from '../../../../src/engines/models/schemas/merge-top.ts';
import { toVendorSchema } from '../../../../src/engines/models/schemas/to-vendor-schema.ts';
import { hostedVendors } from '../../../../src/engines/models/vendor-catalogue.ts';
import { checkToolArguments } from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { createRandom } from '../../../labs/random.ts';

const text = { type: 'string' };
const a = { type: 'object', properties: { a: text }, required: ['a'] };
const b = { type: 'object', properties: { b: text } };

function form(vendor: string, schema: JsonObject) {
  const rules = hostedVendors.get(vendor)?.tools;
  if (!rules) throw new Error(`no vendor ${vendor}`);
  return toVendorSchema(schema, rules);
}

describe('combinations at the top', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'allOf of objects',
      { type: 'object', description: 'Both.', allOf: [a, b] },
      { type: 'object', description: 'Both.', properties: { a: text, b: text }, required: ['a'] },
    ],
    ['anyOf of one', { type: 'object', anyOf: [a] }, a],
    [
      'oneOf of one, with a field that both describe',
      { type: 'object', properties: { a: { minLength: 1 } }, oneOf: [a] },
      { type: 'object', properties: { a: { allOf: [{ minLength: 1 }, text] } }, required: ['a'] },
    ],
    [
      'references to definitions',
      {
        type: 'object',
        $defs: { a, both: { allOf: [{ $ref: '#/$defs/a' }, b] } },
        allOf: [{ $ref: '#/$defs/both' }],
      },
      {
        ...{ type: 'object', $defs: { a, both: { allOf: [{ $ref: '#/$defs/a' }, b] } } },
        properties: { a: text, b: text },
        required: ['a'],
      },
    ],
    ['a reference at the top', { type: 'object', $ref: '#/$defs/a', $defs: { a } }, { ...a, $defs: { a } }],
  ])('merge where that is exact: %s', (_what, schema, merged) => {
    expect(mergeTop(schema)).toEqual(merged);
    expect(form('anthropic', schema)).toEqual({ schema: { properties: {}, ...merged }, wrapper: null });
  });

  test.each<[string, JsonObject]>([
    [
      'alternatives',
      { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ],
    ['closed objects', { type: 'object', allOf: [{ ...a, additionalProperties: false }, b] }],
    ['a closed whole', { type: 'object', additionalProperties: false, allOf: [a] }],
    ['counts of fields', { type: 'object', allOf: [{ minProperties: 1 }] }],
    [
      'itself',
      { type: 'object', allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { allOf: [{ $ref: '#/$defs/x' }] } } },
    ],
    ['allOf beside anyOf', { type: 'object', allOf: [a], anyOf: [a, b] }],
  ])('move into one field otherwise: %s', (_what, schema) => {
    const { schema: sent, wrapper } = form('anthropic', schema);
    expect(wrapper).toBe('input');
    expect(sent).toMatchObject({ type: 'object', required: ['input'], additionalProperties: false });
    expect(form('openai', schema).wrapper).toBe('input');
    expect(form('google', schema).wrapper).toBeNull();
  });

  test('the field has a name that the schema does not use, and references keep their place', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        input: text,
        next: { $ref: '#' },
        again: { $ref: '#/properties/input' },
        of: { $ref: '#/$defs/x' },
      },
      anyOf: [{ required: ['input'] }, { required: ['next'] }],
      $defs: { x: { items: { $ref: '#/properties/next' }, type: 'array' } },
    };
    const { schema: sent, wrapper } = form('anthropic', schema);
    expect(wrapper).toBe('input_2');
    expect(sent).toMatchObject({
      properties: {
        input_2: {
          properties: {
            next: { $ref: '#/properties/input_2' },
            again: { $ref: '#/properties/input_2/properties/input' },
            of: { $ref: '#/$defs/x' },
          },
        },
      },
      $defs: { x: { items: { $ref: '#/properties/input_2/properties/next' } } },
    });
  });

  test('fields whose names Anthropic refuses move into the field too', () => {
    expect(form('anthropic', { type: 'object', properties: { 'filter[name]': text } }).wrapper).toBe('input');
    expect(form('openai', { type: 'object', properties: { 'filter[name]': text } }).wrapper).toBeNull();
  });
});

describe('what a vendor refuses elsewhere is left out', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'openai: look-around',
      { type: 'string', pattern: '^(?!a)', minLength: 1 },
      { type: 'string', minLength: 1 },
    ],
    ['openai: an array without items', { type: 'array' }, { type: 'array', items: {} }],
    ['openai: a condition that would be stricter', { not: { pattern: '(?=a)' } }, {}],
    [
      'anthropic: a tuple of draft-07',
      { type: 'array', items: [text] },
      { type: 'array', prefixItems: [text], items: {} },
    ],
    ['anthropic: a reference that leads out', { $ref: 'https://example.com/x', title: 'X' }, { title: 'X' }],
    ['google: keywords beside a reference', { $ref: '#/$defs/x', description: 'X' }, { $ref: '#/$defs/x' }],
    [
      'google: values of several types',
      { enum: ['a', null, true] },
      { description: 'One of ["a",null,true].' },
    ],
    ['google: a constant', { const: 3, description: 'C' }, { enum: [3], description: 'C' }],
    [
      'google: a constant that is no text',
      { const: true, description: 'C.' },
      { description: 'C. One of [true].' },
    ],
  ])('%s', (what, field, fitted) => {
    const [vendor = ''] = what.split(':');
    const schema = { type: 'object', properties: { field }, $defs: { x: text } };
    expect(form(vendor, { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'a', ...schema })).toEqual(
      {
        schema: { type: 'object', properties: { field: fitted }, $defs: { x: text } },
        wrapper: null,
      },
    );
  });

  test('a schema that a vendor takes stays as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { enum: ['x'] }, b: { $ref: '#/$defs/x' } },
      $defs: { x: text },
    };
    for (const vendor of hostedVendors.keys())
      expect(form(vendor, schema)).toEqual({ schema, wrapper: null });
  });
});

test('a chain of references that doubles at each step is not followed to its end', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, step) => [
      `d${step}`,
      { allOf: [{ $ref: `#/$defs/d${step + 1}` }, { $ref: `#/$defs/d${step + 1}` }] },
    ]),
  );
  const schema: JsonObject = { type: 'object', $ref: '#/$defs/d0', $defs: { ...$defs, d40: a } };
  expect(form('anthropic', schema).wrapper).toBe('input');
});

describe('a form', () => {
  const pick = <Item>(below: (most: number) => number, items: Item[]) => items[below(items.length)] as Item;
  const leaves: JsonObject[] = [
    text,
    { type: 'string', pattern: '^(?=a)a' },
    { enum: ['a', 1, null] },
    { const: true },
    { type: 'array' },
    { $ref: '#/$defs/x', minLength: 2 },
    { not: { type: 'string', pattern: '^(?=b)' } },
    { if: { pattern: '^(?=a)' }, then: { minLength: 3 }, else: { maxLength: 2 } },
  ];
  const values: JsonValue[] = ['a', 'ab', 'abc', 'b', 1, null, true, [], ['a']];

  function makeObject(below: (most: number) => number): JsonObject {
    const names = ['a', 'b', 'c'].filter(() => below(2) === 0);
    return {
      ...(below(2) === 0 && { type: 'object' }),
      properties: Object.fromEntries(names.map((name) => [name, pick(below, leaves)])),
      ...(below(3) === 0 && { required: [pick(below, ['a', 'b'])] }),
      ...(below(6) === 0 && { additionalProperties: false }),
    };
  }

  function makeSchema(below: (most: number) => number): JsonObject {
    const parts = () => Array.from({ length: 1 + below(2) }, () => makeObject(below));
    return {
      ...makeObject(below),
      type: 'object',
      $defs: { x: text },
      ...(below(2) === 0 && { allOf: parts() }),
      ...(below(3) === 0 && { anyOf: parts() }),
      ...(below(3) === 0 && { oneOf: parts() }),
    };
  }

  test('allows all arguments that the schema of the tool allows', () => {
    const below = createRandom(7);
    let fitting = 0;
    for (let round = 0; round < 400; round += 1) {
      const schema = makeSchema(below);
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const names = ['a', 'b', 'c', 'd'].filter(() => below(2) === 0);
        const input = Object.fromEntries(names.map((name) => [name, pick(below, values)]));
        if (checkToolArguments(schema, input).length > 0) continue;
        fitting += 1;
        for (const vendor of hostedVendors.keys()) {
          const { schema: sent, wrapper } = form(vendor, schema);
          const wrapped = wrapper === null ? input : { [wrapper]: input };
          expect(checkToolArguments(sent, wrapped), JSON.stringify({ vendor, schema, sent, input })).toEqual(
            [],
          );
        }
      }
    }
    expect(fitting).toBeGreaterThan(200);
  });

  test('that is merged allows nothing more', () => {
    const below = createRandom(8);
    let merged = 0;
    for (let round = 0; round < 400; round += 1) {
      const schema = makeSchema(below);
      const whole = mergeTop(schema);
      if (whole === schema) continue;
      merged += 1;
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const names = ['a', 'b', 'c', 'd'].filter(() => below(2) === 0);
        const input = Object.fromEntries(names.map((name) => [name, pick(below, values)]));
        const fits = (one: JsonObject) => checkToolArguments(one, input).length === 0;
        expect(fits(whole), JSON.stringify({ schema, whole, input })).toBe(fits(schema));
      }
    }
    expect(merged).toBeGreaterThan(50);
  });
});
