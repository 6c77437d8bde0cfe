import { expect, test } from 'vitest';
import { toConnectError } from '../../../src/platform/database/connect-error.ts';
import { toErrorInfo } from '../../../src/platform/http/error-statuses.ts';

test('a timeout while connecting becomes an error that the database cannot be reached', () => {
  const cause = new Error('timeout exceeded when trying to connect');
  const error = toConnectError(cause);

  expect(error).toMatchObject({ message: cause.message, code: 'ETIMEDOUT', cause });
  expect(toErrorInfo(error).code).toBe('SERVICE_UNAVAILABLE');
});

test('an error that has a code is not changed', () => {
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  expect(toConnectError(error)).toBe(error);
});
