import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { compileOne, withBody } from './one-operation.ts';

describe('schemas', () => {
  const convert = (schema: JsonObject, more: JsonObject = {}) => {
    const whole = { type: 'object', properties: { a: schema } };
    const { operation, messages } = compileOne(withBody(whole, more));
    return { schema: (operation.schema.properties as { a?: JsonObject }).a, messages };
  };

  test.each<[string, JsonObject, JsonObject]>([
    [
      'nullable',
      { type: 'string', nullable: true, enum: ['x'] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      'exclusive limits of 3.0',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    ['exclusive limits of 3.1', { exclusiveMaximum: 5 }, { exclusiveMaximum: 5 }],
    [
      'descriptions with HTML',
      { description: '<p>A [link](https://a.example)</p>' },
      { description: 'A link' },
    ],
    [
      'unknown keywords',
      { type: 'string', xml: {}, example: 1, 'x-a': 2, format: 'odd' },
      { type: 'string' },
    ],
    ['patterns that never end', { pattern: '(?=a)b' }, {}],
    [
      'maps',
      { additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
  ])('have %s as JSON Schema 2020-12 has them', (_title, schema, expected) => {
    expect(convert(schema).schema).toEqual(expected);
  });

  test('with a type that is none take every value', () => {
    expect(convert({ type: 'file' })).toMatchObject({
      schema: {},
      messages: expect.arrayContaining([expect.stringContaining('"file" is no type of JSON')]) as unknown,
    });
  });

  test('that contain themselves, or grow, are left open where they do', () => {
    const grows = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `Level${index}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            ['a', 'b', 'c'].map((name) => [name, { $ref: `#/components/schemas/Level${(index + 1) % 40}` }]),
          ),
        },
      ]),
    ) as JsonObject;
    const { schema, messages } = convert(
      { $ref: '#/components/schemas/Level0' },
      { components: { schemas: grows } },
    );
    expect(JSON.stringify(schema).length).toBeLessThan(16_000);
    expect(messages.join()).toContain('left open');
    const endless = { allOf: [{ $ref: '#/components/schemas/Self' }], properties: { a: { type: 'string' } } };
    expect(
      convert({ $ref: '#/components/schemas/Self' }, { components: { schemas: { Self: endless } } }).schema,
    ).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    const loop = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    expect(convert({ $ref: '#/components/schemas/A' }, { components: { schemas: loop } }).schema).toEqual({
      description: 'As A above',
    });
  });
});
