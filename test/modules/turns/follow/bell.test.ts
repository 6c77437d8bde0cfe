import { expect, test } from 'vitest';
import { createBell } from '../../../../src/modules/turns/follow/bell.ts';

const long = 60_000;

test('rings before a wait end that wait at once, and only one wait', async () => {
  const bell = createBell(new AbortController().signal);
  bell.ring();
  bell.ring();
  await bell.wait(long);
  let over = false;
  const second = bell.wait(long).then(() => (over = true));
  await Promise.resolve();
  expect(over).toBe(false);
  bell.ring();
  await second;
});

test('a wait ends when its time is over', async () => {
  await createBell(new AbortController().signal).wait(1);
});

test('a wait ends when the signal aborts, and later waits end at once', async () => {
  const leaving = new AbortController();
  const bell = createBell(leaving.signal);
  const waiting = bell.wait(long);
  leaving.abort();
  await waiting;
  await bell.wait(long);
});
