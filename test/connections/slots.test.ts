import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlots } from '../../src/connections/slots.ts';

interface Work {
  name: string;
  end: () => void;
  fail: (error: Error) => void;
}

function startWork(limits: { total: number; perKey: number }) {
  const runInSlot = createSlots(limits);
  const running: Work[] = [];
  const start = (key: string, name: string) =>
    runInSlot(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      running.push({ name, end: () => resolve(name), fail: reject });
      return promise.finally(() =>
        running.splice(
          running.findIndex((one) => one.name === name),
          1,
        ),
      );
    });
  return { start, running, names: () => running.map(({ name }) => name) };
}

test('the work in progress never exceeds the slots, and the rest follows in order', async () => {
  const { start, running, names } = startWork({ total: 2, perKey: 2 });
  const all = ['one', 'two', 'three', 'four'].map((name) => start(name, name));
  await nextTick();
  expect(names()).toEqual(['one', 'two']);
  running[0]?.end();
  await nextTick();
  expect(names()).toEqual(['two', 'three']);
  running[0]?.end();
  running[1]?.end();
  await nextTick();
  running[0]?.end();
  expect(await Promise.all(all)).toEqual(['one', 'two', 'three', 'four']);
});

test('one key cannot take all slots', async () => {
  const { start, running, names } = startWork({ total: 3, perKey: 2 });
  const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1')];
  await nextTick();
  expect(names()).toEqual(['a1', 'a2', 'b1']);
  while (running.length > 0) {
    running[0]?.end();
    await nextTick();
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('work that fails frees its slot', async () => {
  const { start, running } = startWork({ total: 1, perKey: 1 });
  const failing = start('a', 'a1').catch((error: unknown) => error);
  const next = start('a', 'a2');
  await nextTick();
  running[0]?.fail(new Error('broken'));
  expect(await failing).toBeInstanceOf(Error);
  await nextTick();
  running[0]?.end();
  expect(await next).toBe('a2');
});

test('a key with no running work goes before a key with running work, however many wait under that', async () => {
  const { start, running, names } = startWork({ total: 2, perKey: 2 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => start(name.slice(0, 1), name));
  await nextTick();
  running[0]?.end();
  await nextTick();
  expect(names()).toEqual(['a2', 'b1']);
  while (running.length > 0) {
    running[0]?.end();
    await nextTick();
  }
  await Promise.all(all);
});
