import { expect, test } from 'vitest';
import { isError, readMessage, readWait } from '../../../src/engines/providers/read-error.ts';

const provider = { errors: { message: ['message'], details: ['message', 'errors'] } };

test.each([
  ['a text', { message: '404 Issue Not Found' }, '404 Issue Not Found'],
  ['messages by field', { message: { title: ["can't be blank"] } }, "title: can't be blank"],
  ['a text and others', { message: 'Bad', errors: ['Bad', 'No title'] }, 'Bad: No title'],
  ['no text', { message: '' }, null],
])('a message of %s is said once', (_, body, expected) => {
  expect(readMessage(provider, { body })).toBe(expected);
});

const now = Date.UTC(2026, 0, 1);

test.each([
  ['seconds', '1.5', 1500],
  ['milliseconds', '250', 250],
  ['epoch', String(now / 1000 + 30), 30_000],
  ['epoch_milliseconds', String(now + 30_000), 30_000],
  ['epoch_milliseconds', String(now - 1), 0],
  ['date', '2026-01-01T00:00:30Z', 30_000],
  ['date', '2026-01-01T01:00+00:00', 3_600_000],
  ['date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['date', 'soon', undefined],
  ['epoch', 'soon', undefined],
] as const)('a wait in %s is read from %s', (unit, text, expected) => {
  const throttle = { wait: [{ header: 'x-reset', unit }] };
  const answer = { headers: new Headers({ 'x-reset': text }), body: {} };
  expect(readWait({ throttle }, answer, now)).toBe(expected);
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
