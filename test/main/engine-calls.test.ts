import { expect, test } from 'vitest';
import { createEngineCalls } from '../../src/main/engine-calls.ts';

type Line = [level: string, message: string, fields: object];

function open({ longestMs = 5, mostLate = 10 } = {}) {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, message?: string) =>
    void lines.push([level, message ?? '', fields]);
  const logger = { warn: write('warn'), debug: write('debug') };
  const held: PromiseWithResolvers<void>[] = [];
  const call: (input: { turnId: string; message: string }) => Promise<void> = () => {
    const one = Promise.withResolvers<undefined>();
    held.push(one as PromiseWithResolvers<void>);
    return one.promise;
  };
  const calls = createEngineCalls({ logger, longestMs, mostLate });
  const start = calls.awaitBriefly('startTurn', call);
  return { ...calls, lines, held, start: () => start({ turnId: '1', message: 'private' }) };
}

test('a call that Temporal does not answer is awaited for a while only', async () => {
  const { start, held, lines } = open();
  await start();

  expect(held).toHaveLength(1);
  expect(lines).toEqual([]);
});

test('the failure of a call is thrown before the answer, and logged with its ids after it', async () => {
  const early = open({ longestMs: 60_000 });
  const starting = early.start();
  early.held[0]?.reject(new Error('refused'));
  await expect(starting).rejects.toThrow('refused');

  const late = open();
  await late.start();
  late.held[0]?.reject(new Error('refused'));
  await late.finish();
  const [[level, message, fields] = []] = late.lines;
  expect([level, message]).toEqual(['warn', 'a call to Temporal failed; the sweeper repeats it']);
  expect(fields).toEqual({ call: 'startTurn', turnId: '1', err: new Error('refused') });
});

test('a call that failed since Temporal cannot be reached is no warning', async () => {
  const { start, held, lines, finish } = open();
  await start();
  held[0]?.reject(Object.assign(new Error('unavailable'), { code: 14 }));
  await finish();

  expect(lines.map(([level]) => level)).toEqual(['debug']);
});

test('the end waits for the calls that are under way', async () => {
  const { start, held, finish } = open();
  await start();
  let isOver = false;
  const ending = finish().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);

  held[0]?.resolve();
  await ending;
});

test('a call is left to the sweeper while too many others continue in the background', async () => {
  const { start, held, lines, finish } = open({ mostLate: 2 });
  await Promise.all([start(), start(), start()]);
  await start();
  expect(held).toHaveLength(3);
  expect(lines).toMatchObject([['debug', expect.stringContaining('the sweeper makes this one'), {}]]);

  for (const one of held) one.resolve();
  await finish();
  await start();
  expect(held).toHaveLength(4);
});
