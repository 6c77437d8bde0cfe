import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unlessAborted } from '../../../src/platform/lib/unless-aborted.ts';

test('work that ends in time gives its result, and its error', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, () => Promise.resolve('done'))).toBe('done');
  await expect(unlessAborted(signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an abort ends the wait with its reason, or with an error made of it', async () => {
  const stop = new AbortController();
  const never = () => new Promise<never>(() => {});
  const plain = unlessAborted(stop.signal, never);
  const made = unlessAborted(stop.signal, never, (cause) => new Error('too late', { cause }));
  stop.abort(new Error('stopped'));

  await expect(plain).rejects.toThrow('stopped');
  await expect(made).rejects.toMatchObject({ message: 'too late', cause: { message: 'stopped' } });
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test('a signal that is aborted already wins over work that is done', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(unlessAborted(signal, () => Promise.resolve('done'))).rejects.toThrow('stopped');
});

test('an error that is thrown instead of returned is passed on, also during an abort', async () => {
  const stop = new AbortController();
  const failed = unlessAborted(stop.signal, () => {
    stop.abort(new Error('stopped'));
    throw new Error('failed');
  });
  await expect(failed).rejects.toThrow('failed');
});
