import { expect, test } from 'vitest';
import { createWakeSignal } from '../../../../src/modules/turns/follow/wake-signal.ts';

const long = 60_000;

test('notifications before a wait end that wait at once, and only one wait', async () => {
  const wakeSignal = createWakeSignal(new AbortController().signal);
  wakeSignal.notify();
  wakeSignal.notify();
  await wakeSignal.wait(long);
  let over = false;
  const second = wakeSignal.wait(long).then(() => (over = true));
  await Promise.resolve();
  expect(over).toBe(false);
  wakeSignal.notify();
  await second;
});

test('a wait ends when its time is over', async () => {
  await createWakeSignal(new AbortController().signal).wait(1);
});

test('a wait ends when the signal aborts, and later waits end at once', async () => {
  const leaving = new AbortController();
  const wakeSignal = createWakeSignal(leaving.signal);
  const waiting = wakeSignal.wait(long);
  leaving.abort();
  await waiting;
  await wakeSignal.wait(long);
});
