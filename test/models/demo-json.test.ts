import { expect, test } from 'vitest';
import { toDemoJson } from '../../src/models/demo/demo-json.ts';

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
  expect(toDemoJson(schema, 'Hello there')).toEqual({
    ...{ title: 'Hello ', kind: 'bug', due: '2026-01-01', count: 2, open: true, owner: null },
    tags: [{ name: 'x' }],
  });
});

test('a schema that contains itself comes to an end', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } } };
  expect(JSON.stringify(toDemoJson(schema, ''))).toMatch(/^\{"next":.*null\}+$/);
});
