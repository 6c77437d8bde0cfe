import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners, once } from 'node:events';
import { setImmediate as nextCheck } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { withSilenceLimit, withTimeLimit } from '../../../src/platform/activity/with-time-limit.ts';
import { collectGarbage } from '../../labs/collect-garbage.ts';

const limits = { timeoutMs: 60_000, silenceMs: 60_000 };
const calls = 50;

type Limited = (signal: AbortSignal, run: (limited: AbortSignal) => Promise<unknown>) => Promise<unknown>;

const kinds: [string, Limited][] = [
  ['a time limit', (signal, run) => withTimeLimit({ ...limits, signal }, run)],
  ['a limit of silence', (signal, run) => withSilenceLimit({ ...limits, signal }, run)],
];

/** Temporal keeps the activity, with its signal, in the asynchronous context of all that the activity does. */
const activity = new AsyncLocalStorage<{ signal: AbortSignal }>();

/** Makes calls one after the other; returns references that keep neither their signals nor their results. */
async function makeCalls(limited: Limited, signal: AbortSignal) {
  const kept: WeakRef<object>[] = [];
  await activity.run({ signal }, async () => {
    for (let call = 0; call < calls; call += 1) {
      await limited(signal, (own) => {
        const result = { call };
        kept.push(new WeakRef(own), new WeakRef(result));
        return Promise.resolve(result);
      });
    }
  });
  return () => kept.filter((one) => one.deref() !== undefined).length;
}

test.each(kinds)('%s keeps nothing of its ended calls while the activity goes on', async (_, limited) => {
  const running = new AbortController();
  const countKept = await makeCalls(limited, running.signal);
  await collectGarbage();

  expect(countKept()).toBe(0);
  expect(getEventListeners(running.signal, 'abort')).toEqual([]);
});

test.each(kinds)('%s keeps nothing of an activity that has ended', async (_, limited) => {
  const isKept = await (async () => {
    const { signal } = new AbortController();
    await makeCalls(limited, signal);
    const kept = new WeakRef(signal);
    return () => kept.deref() !== undefined;
  })();
  await collectGarbage();

  expect(isKept()).toBe(false);
});

test.each(kinds)('%s removes its listener when its work fails', async (_, limited) => {
  const { signal } = new AbortController();
  let own: AbortSignal | undefined;
  const failed = limited(signal, (given) => {
    own = given;
    return Promise.reject(new Error('failed'));
  });
  await expect(failed).rejects.toThrow('failed');
  expect(own && getEventListeners(own, 'abort')).toEqual([]);
});

test.each(kinds)('%s ends with the reason of its signal although the work goes on', async (_, limited) => {
  const stopped = new AbortController();
  const waiting = limited(stopped.signal, () => new Promise(() => {}));
  stopped.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  const late = limited(stopped.signal, () => new Promise(() => {}));
  await expect(late).rejects.toThrow('stopped');
});

test('work that gives signs of life ends with the time limit, and silent work before', async () => {
  const { signal } = new AbortController();
  const silent = withSilenceLimit({ timeoutMs: 60_000, silenceMs: 1, signal }, () => new Promise(() => {}));
  await expect(silent).rejects.toMatchObject({ reason: 'silence' });
  let timer: NodeJS.Timeout | undefined;
  const alive = withSilenceLimit({ timeoutMs: 50, silenceMs: 60_000, signal }, (_, note) => {
    timer = setInterval(note, 5);
    return new Promise(() => {});
  });
  await expect(alive).rejects.toMatchObject({ reason: 'timeout' });
  clearInterval(timer);
});

/** Answers a message, and tells of it in shared memory, which a process sees that reads no messages. */
const answering = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.once('message', (message) => {
    parentPort.postMessage(message);
    Atomics.store(workerData, 0, 1);
    Atomics.notify(workerData, 0);
  });`;

test('a sign of life that came while the process was stalled counts', async () => {
  const silenceMs = 5;
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(answering, { eval: true, workerData: answered });
  await once(worker, 'online');
  // Timers are next in the event loop, messages after them.
  await nextCheck();
  const { signal } = new AbortController();
  const work = withSilenceLimit({ timeoutMs: 60_000, silenceMs, signal }, async (_, note) => {
    const message = once(worker, 'message').then(note);
    const stalledUntil = performance.now() + 2 * silenceMs;
    worker.postMessage('alive');
    Atomics.wait(answered, 0, 0);
    while (performance.now() < stalledUntil);
    await message;
    return 'done';
  });
  await expect(work).resolves.toBe('done');
  await worker.terminate();
});
