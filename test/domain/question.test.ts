import { expect, test } from 'vitest';
import { toAnswerSchema, withDefaults } from '../../src/domain/question.ts';
import { checkToolArguments } from '../../src/engines/tools/json-schema/tool-arguments.ts';

test('an answer of any type is checked, and its fields are named below "answer"', () => {
  const schema = toAnswerSchema({ type: 'array', items: { type: 'integer' } });

  expect(checkToolArguments(schema, { answer: [1, 2] })).toEqual([]);
  expect(checkToolArguments(schema, { answer: [1, 'two'] })).toMatchObject([{ field: 'answer.1' }]);
  expect(checkToolArguments(schema, {})).toMatchObject([{ field: 'answer' }]);
});

test('a schema keeps its version and its definitions', () => {
  const schema = toAnswerSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { even: { type: 'integer', multipleOf: 2 } },
    type: 'object',
    properties: { count: { $ref: '#/definitions/even' } },
  });

  expect(checkToolArguments(schema, { answer: { count: 4 } })).toEqual([]);
  expect(checkToolArguments(schema, { answer: { count: 3 } })).toMatchObject([{ field: 'answer.count' }]);
});

test('fields that an answer leaves out get the defaults of the schema', () => {
  const schema = {
    type: 'object',
    properties: {
      side: { type: 'string', default: 'aisle' },
      meal: { type: 'boolean', default: false },
      row: {},
    },
  };

  expect(withDefaults(schema, { side: 'window', row: 7 })).toEqual({ side: 'window', meal: false, row: 7 });
  expect(withDefaults(schema, 'window')).toBe('window');
  expect(withDefaults(null, { lines: 3 })).toEqual({ lines: 3 });
});
