import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../../src/platform/egress/parse-retry-after.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
  [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '99999999999' }, 86_400_000],
  [{ 'retry-after': 'Sat, 21 Nov 9999 12:00:30 GMT' }, 86_400_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('the headers %j give a wait of %s ms', (headers: Record<string, string>, expected) => {
  expect(parseRetryAfter(headers, now)).toBe(expected);
});
