import { expect, test } from 'vitest';
import { isError, readMessage } from '../../src/providers/read-error.ts';

const provider = { errors: { message: ['message'], details: ['message', 'errors'] } };

test.each([
  ['a text', { message: '404 Issue Not Found' }, '404 Issue Not Found'],
  ['messages by field', { message: { title: ["can't be blank"] } }, "title: can't be blank"],
  ['a text and others', { message: 'Bad', errors: ['Bad', 'No title'] }, 'Bad: No title'],
  ['no text', { message: '' }, null],
])('a message of %s is said once', (_, body, expected) => {
  expect(readMessage(provider, { body })).toBe(expected);
});

test.each([
  [{ data: { result: { userErrors: [{ message: 'No such tag' }] } } }, true],
  [{ data: { result: { userErrors: [{ message: null }] } } }, false],
  [{ data: { result: { userErrors: [] } } }, false],
  [{ data: null }, false],
])('a condition without values holds for every value but null: %j', (body, expected) => {
  const errors = { message: [], when: { at: 'data.result.userErrors.0.message' } };
  expect(isError({ errors }, { status: 200, body })).toBe(expected);
});
