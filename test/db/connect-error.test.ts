import { expect, test } from 'vitest';
import { toConnectError } from '../../src/db/connect-error.ts';
import { toErrorInfo } from '../../src/http/server/error-statuses.ts';

test('a connect that took too long is answered as a database that can not be reached', () => {
  const cause = new Error('timeout exceeded when trying to connect');
  const error = toConnectError(cause);

  expect(error).toMatchObject({ message: cause.message, code: 'ETIMEDOUT', cause });
  expect(toErrorInfo(error).code).toBe('SERVICE_UNAVAILABLE');
});

test('an error that has a code stays as it is', () => {
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  expect(toConnectError(error)).toBe(error);
});
