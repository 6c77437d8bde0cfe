import { expect, test } from 'vitest';
import { z } from 'zod';
import { nameKnownFields, toFieldErrors } from '../../../src/http/server/field-errors.ts';

const schema = z.strictObject({ name: z.string(), tags: z.array(z.enum(['a', 'b'])).optional() });

function check(input: unknown) {
  const { error } = schema.safeParse(input, { error: nameKnownFields });
  return error ? toFieldErrors(error, 'body') : [];
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

test('each unknown field has its own error', () => {
  expect(check({ name: 'x', one: 1, two: 2 }).map(({ field }) => field)).toEqual(['one', 'two']);
});

test('the error of an unknown field lists the known names', () => {
  const message = 'unknown field: expected one of "name", "tags"';
  expect(check({ name: 'x', nam: 'y' })).toEqual([{ field: 'nam', message }]);
  const { error } = z.strictObject({}).safeParse({ nam: 'y' }, { error: nameKnownFields });
  expect(error?.issues).toMatchObject([{ message: 'unknown field: expected no field of this name' }]);
});

test('an invalid body is reported as a whole', () => {
  expect(check(null)).toEqual([{ field: 'body', message: 'expected object, found null' }]);
});

test('the list of invalid fields has a maximum length', () => {
  expect(check({ name: 'x', tags: Array.from({ length: 1000 }, () => 'c') })).toHaveLength(50);
});
