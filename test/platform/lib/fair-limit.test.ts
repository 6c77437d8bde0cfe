import { expect, test } from 'vitest';
import { createFairLimit, type FairLimit } from '../../../src/platform/lib/fair-limit.ts';

const patient = { slots: 2, slowMs: 60_000, slowForMs: 60_000, waitMs: 60_000 };

/** Starts work that ends when it is told to, and records the order in which work starts. */
function createWork(limit: FairLimit) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (owner: string, name: string) =>
    limit(owner, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { started, start, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('an owner uses one slot at a time, and those who wait take turns', async () => {
  const { started, start, end } = createWork(createFairLimit(patient));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void start(name.slice(0, 1), name);
  await settled();
  expect(started).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    end(name);
    await settled();
  }
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('slow owners leave a slot to the others', async () => {
  const { started, start, end } = createWork(createFairLimit({ ...patient, slowMs: -1 }));
  for (const name of ['a1', 'b1']) {
    const work = start(name.slice(0, 1), name);
    await settled();
    end(name);
    await work;
  }
  void start('a', 'a2');
  void start('b', 'b2');
  void start('quick', 'quick1');
  await settled();
  expect(started.slice(2)).toEqual(['a2', 'quick1']);
  end('a2');
  await settled();
  expect(started.slice(4)).toEqual(['b2']);
});

test('work that has waited too long is not started', async () => {
  const { started, start, end } = createWork(createFairLimit({ ...patient, waitMs: 20 }));
  const first = start('a', 'a1');
  expect(await start('a', 'a2')).toBeNull();
  end('a1');
  expect(await first).toBe('a1');
  const last = start('a', 'a3');
  await settled();
  end('a3');
  expect(await last).toBe('a3');
  expect(started).toEqual(['a1', 'a3']);
});

test('work that fails leaves its slot', async () => {
  const limit = createFairLimit({ ...patient, slots: 1 });
  await expect(limit('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await limit('a', () => Promise.resolve('next'))).toBe('next');
});
