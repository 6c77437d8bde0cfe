import { expect, onTestFinished, test, vi } from 'vitest';
import { pollUntil } from '../../../src/platform/lib/poll-until.ts';

const never = new AbortController().signal;

function countUp() {
  let count = 0;
  return () => Promise.resolve(++count);
}

test('reads until the value is accepted', async () => {
  const polling = { waitMs: 10_000, everyMs: 1, signal: never };
  expect(await pollUntil(countUp(), (value) => Promise.resolve(value === 3), polling)).toBe(3);
});

test('returns the last value when the time is over', async () => {
  expect(await pollUntil(countUp(), () => false, { waitMs: 0, everyMs: 1, signal: never })).toBe(1);
  // The first read ends before that time, however slow the machine is.
  vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValueOnce(10).mockReturnValueOnce(30);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await pollUntil(countUp(), () => false, { waitMs: 20, everyMs: 60_000, signal: never })).toBe(2);
});

test('returns the last value when the signal is aborted', async () => {
  const leaving = new AbortController();
  const accept = (value: number) => {
    if (value === 2) leaving.abort();
    return false;
  };
  const polling = { waitMs: 60_000, everyMs: 1, signal: leaving.signal };
  expect(await pollUntil(countUp(), accept, polling)).toBe(2);
});
