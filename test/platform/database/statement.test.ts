import { expect, test } from 'vitest';
import { defineStatement } from '../../../src/platform/database/statement.ts';

test('named parameters become numbered parameters in the order in which they occur', () => {
  const statement = defineStatement<{ id: string; text: string }, unknown>(
    'example',
    'SELECT :text::text, :id, :text WHERE a = :id::uuid',
  );
  expect(statement).toEqual({
    name: 'example',
    text: 'SELECT $1::text, $2, $1 WHERE a = $2::uuid',
    parameters: ['text', 'id'],
    isFlushed: false,
  });
});

test('casts are not taken for named parameters', () => {
  expect(defineStatement('casts', `SELECT '1'::int, now()::date`)).toMatchObject({
    text: `SELECT '1'::int, now()::date`,
    parameters: [],
  });
});

test('two statements that differ cannot have the same name', () => {
  defineStatement('taken', 'SELECT 1');
  expect(defineStatement('taken', 'SELECT 1').name).toBe('taken');
  expect(() => defineStatement('taken', 'SELECT 2')).toThrow('two statements have the name taken');
});
