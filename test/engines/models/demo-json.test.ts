import { expect, test } from 'vitest';
import { toDemoJson } from '../../../src/engines/models/demo/demo-json.ts';

test('the demo model fills the fields of a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string', maxLength: 6 },
      kind: { enum: ['bug', 'wish'] },
      due: { type: 'string', format: 'date' },
      count: { type: 'integer', minimum: 2 },
      open: { type: 'boolean' },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' }, minItems: 1 },
      owner: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    },
    $defs: { tag: { type: 'object', properties: { name: { const: 'x' } } } },
  };
  expect(toDemoJson(schema, (field) => `a ${field}`)).toEqual({
    ...{ title: 'a titl', kind: 'bug', due: '2026-01-01', count: 2, open: true, owner: 'a owner' },
    tags: [{ name: 'x' }],
  });
});

test('a schema that contains itself comes to an end', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } } };
  expect(JSON.stringify(toDemoJson(schema, () => ''))).toMatch(/^\{"next":.*null\}+$/);
});

test.each([
  [{ type: 'number' }, 1],
  [{ type: 'integer', minimum: 5 }, 5],
  [{ type: 'integer', exclusiveMinimum: 5 }, 6],
  [{ type: 'number', maximum: -2 }, -2],
  [{ type: 'number', multipleOf: 10 }, 10],
  [{ type: 'number', minimum: 11, multipleOf: 10 }, 20],
  [{ type: ['null', 'integer'] }, 1],
  [{ type: 'string', examples: ['Kiel'] }, 'Kiel'],
  [{ type: 'string', minLength: 6 }, 'text..'],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ type: 'array', items: { type: 'integer' }, maxItems: 0 }, []],
])('keeps the bounds of %j', (schema, value) => {
  expect(toDemoJson(schema, () => 'text')).toEqual(value);
});
