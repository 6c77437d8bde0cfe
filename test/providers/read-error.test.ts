import { expect, test } from 'vitest';
import { readMessage } from '../../src/providers/read-error.ts';

const provider = { errors: { message: ['message'], details: ['message', 'errors'] } };

test.each([
  ['a text', { message: '404 Issue Not Found' }, '404 Issue Not Found'],
  ['messages by field', { message: { title: ["can't be blank"] } }, "title: can't be blank"],
  ['a text and others', { message: 'Bad', errors: ['Bad', 'No title'] }, 'Bad: No title'],
  ['no text', { message: '' }, null],
])('a message of %s is said once', (_, body, expected) => {
  expect(readMessage(provider, { body })).toBe(expected);
});
