import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes, HoldfastError, type ErrorCode } from '../../../src/domain/errors.ts';
import { errorStatuses, toErrorInfo } from '../../../src/platform/http/error-statuses.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];
const documentation = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const rows = new Map(
  documentation
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap(([, code = '', ...cells]) =>
      /^`[A-Z_]+`$/.test(code) ? [[code.slice(1, -1), cells] as const] : [],
    ),
);

test.each(codes)('%s has a status, and its row in the documentation has the same', (code) => {
  const [status, meaning, advice] = rows.get(code) ?? [];
  expect(status).toBe(String(errorStatuses[code]));
  expect(meaning).toMatch(/\w/);
  expect(advice).toMatch(/\w/);
});

test('every code in the documentation exists', () => {
  expect([...rows.keys()].filter((code) => !(codes as string[]).includes(code))).toEqual([]);
});

test('a known error is answered with its code, message and details, and without its cause', () => {
  const error = new HoldfastError('CONFLICT', 'No.', { details: { id: 1 }, cause: new Error('secret') });
  expect(toErrorInfo(error)).toEqual({ code: 'CONFLICT', message: 'No.', details: { id: 1 } });
});

test('an unexpected error is answered without any of its text', () => {
  for (const thrown of [new Error('password=x'), 'password=x', undefined, null, { message: 'password=x' }]) {
    const info = toErrorInfo(thrown);
    expect(info.code).toBe('INTERNAL');
    expect(JSON.stringify(info)).not.toContain('password');
  }
});

test.each([
  ['ECONNREFUSED', 'SERVICE_UNAVAILABLE'],
  ['57P01', 'SERVICE_UNAVAILABLE'],
  ['22P05', 'INVALID_INPUT'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
])('the library code %s is answered as %s', (code, expected) => {
  expect(toErrorInfo(Object.assign(new Error('inside'), { code })).code).toBe(expected);
});
