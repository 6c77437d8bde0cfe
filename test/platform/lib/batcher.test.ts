import { afterEach, expect, test, vi } from 'vitest';
import { createBatcher } from '../../../src/platform/lib/batcher.ts';

/** A batcher whose runs end when the test says so, and the requests of each of its runs. */
function openBatcher(pauseMs = 0) {
  const runs: string[][] = [];
  const ends: PromiseWithResolvers<undefined>[] = [];
  const ask = createBatcher({
    pauseMs,
    run: async (requests: string[]) => {
      runs.push(requests);
      const end = Promise.withResolvers<undefined>();
      ends.push(end);
      await end.promise;
      return requests.map((request) => request.toUpperCase());
    },
  });
  return { ask, runs, ends };
}

afterEach(() => {
  vi.useRealTimers();
});

test('what comes while a run lasts is done by the next one', async () => {
  const { ask, runs, ends } = openBatcher();
  const first = ask('a');
  await expect.poll(() => runs).toEqual([['a']]);
  const later = [ask('b'), ask('c', 0), ask('d')];
  ends[0]?.resolve(undefined);
  expect(await first).toBe('A');
  await expect.poll(() => runs).toEqual([['a'], ['b', 'c', 'd']]);
  ends[1]?.resolve(undefined);
  expect(await Promise.all(later)).toEqual(['B', 'C', 'D']);
});

test('what is asked for in one moment is done together, after a pause', async () => {
  const { ask, runs, ends } = openBatcher();
  const asked = [ask('a'), ask('b')];
  await expect.poll(() => runs).toEqual([['a', 'b']]);
  ends[0]?.resolve(undefined);
  expect(await Promise.all(asked)).toEqual(['A', 'B']);
});

test('a request without a pause takes those along that would have waited', async () => {
  const { ask, runs, ends } = openBatcher(3_600_000);
  const first = ask('a');
  await expect.poll(() => runs).toHaveLength(1);
  ends[0]?.resolve(undefined);
  await first;
  const waiting = ask('b');
  const hurried = ask('c', 0);
  await expect.poll(() => runs).toEqual([['a'], ['b', 'c']]);
  ends[1]?.resolve(undefined);
  expect(await Promise.all([waiting, hurried])).toEqual(['B', 'C']);
});

test('a run that fails rejects its requests, and the next one runs', async () => {
  const { ask, runs, ends } = openBatcher();
  const failing = Promise.allSettled([ask('a'), ask('b')]);
  await expect.poll(() => runs).toHaveLength(1);
  ends[0]?.reject(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = ask('c');
  await expect.poll(() => runs).toHaveLength(2);
  ends[1]?.resolve(undefined);
  expect(await next).toBe('C');
});

test('a run begins when the least pause of those that wait has passed since the run before', async () => {
  vi.useFakeTimers();
  const { ask, runs, ends } = openBatcher(100);
  void ask('a', 10);
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toEqual([['a']]);
  ends[0]?.resolve(undefined);
  await vi.advanceTimersByTimeAsync(4);
  void ask('b');
  void ask('c', 30);
  void ask('d', 10);
  await vi.advanceTimersByTimeAsync(5);
  void ask('e', 30);
  expect(runs).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toEqual([['a'], ['b', 'c', 'd', 'e']]);
  void ask('f', 20);
  ends[1]?.resolve(undefined);
  await vi.advanceTimersByTimeAsync(19);
  expect(runs).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs[2]).toEqual(['f']);
  ends[2]?.resolve(undefined);
  await vi.advanceTimersByTimeAsync(50);
  void ask('g');
  await vi.advanceTimersByTimeAsync(49);
  expect(runs).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs[3]).toEqual(['g']);
});
