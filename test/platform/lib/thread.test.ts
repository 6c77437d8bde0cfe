import { expect, test } from 'vitest';
import { createThreadPool } from '../../../src/platform/lib/thread-pool.ts';
import { runInThread } from '../../../src/platform/lib/thread.ts';

const signal = new AbortController().signal;
const toError = (reason: string) => new Error(`The work ${reason}.`);

/** Returns a program of these statements. */
function toProgram(body: string): URL {
  const start = `import { parentPort, workerData } from 'node:worker_threads';\n`;
  return new URL(`data:text/javascript,${encodeURIComponent(start + body)}`);
}

/** Takes buffers, which count to no heap, without an end. */
const fillBuffers = 'const all = []; setInterval(() => all.push(Buffer.alloc(8 * 1024 * 1024, 1)), 5);';
const fillHeap = 'const all = []; for (let count = 0; ; count += 1) all.push({ count, text: "x" + count });';

/** Statements that use no processor time for so long, as a thread of a busy machine. */
const beIdle = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;

/** Answers tasks; the task "buffers", "heap", "exit", "forever" or "idle" does that in place of an answer. */
const pooled = toProgram(`
  parentPort.on('message', (text) => {
    const task = JSON.parse(text);
    if (task === 'buffers') { ${fillBuffers} return; }
    if (task === 'heap') { ${fillHeap} }
    if (task === 'exit') process.exit(0);
    if (task === 'forever') for (;;);
    if (task === 'idle') ${beIdle(600_000)}
    parentPort.postMessage({ answer: task });
  });
  parentPort.postMessage('ready');
`);

function createPool(limits: { timeoutMs?: number; waitMs?: number } = {}) {
  return createThreadPool<string, string>({
    ...{ program: pooled, what: 'tests', threads: 1, maxMegabytes: 64, timeoutMs: 60_000, ...limits },
  });
}

test('a program gets its data, and its first message is the answer', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const program = toProgram('parentPort.postMessage(workerData.bytes.length);');
  const work = { program, data: { bytes }, transferred: [bytes.buffer] };
  const limits = { timeoutMs: 60_000, maxMegabytes: 64, signal, toError };
  await expect(runInThread<number>(work, limits)).resolves.toBe(3);
  expect(bytes).toHaveLength(0);
});

test.each<[what: string, work: { body: string; timeoutMs?: number }, reason: string]>([
  ['takes buffers without an end', { body: fillBuffers }, 'took more than 64 MiB of memory'],
  ['takes memory without an end', { body: fillHeap }, 'took more than 64 MiB of memory'],
  ['takes time without an end', { body: 'for (;;);', timeoutMs: 200 }, 'took longer than 0.2 s'],
  ['sends no message', { body: '' }, 'ended unexpectedly'],
])('a program that %s is ended', async (_what, { body, timeoutMs = 60_000 }, reason) => {
  const limits = { timeoutMs, maxMegabytes: 64, signal, toError };
  await expect(runInThread({ program: toProgram(body) }, limits)).rejects.toThrow(`The work ${reason}.`);
});

test('a program that gets no processor time has used none of its time', async () => {
  const limits = { timeoutMs: 2_000, maxMegabytes: 64, signal, toError };
  const program = toProgram(`${beIdle(2_500)} parentPort.postMessage('late');`);
  await expect(runInThread({ program }, limits)).resolves.toBe('late');
});

test('a program that gets no processor time for long is ended, which says nothing about its work', async () => {
  const limits = { timeoutMs: 500, maxMegabytes: 64, signal, toError };
  await expect(runInThread({ program: toProgram(beIdle(600_000)) }, limits)).rejects.toMatchObject({
    ...{ code: 'SERVICE_UNAVAILABLE', retryable: true },
  });
});

test('a program is ended when its signal aborts', async () => {
  const stop = new AbortController();
  const limits = { timeoutMs: 60_000, maxMegabytes: 64, signal: stop.signal, toError };
  const work = runInThread({ program: toProgram('for (;;);') }, limits);
  stop.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
});

test('an error of a program is the error of its work', async () => {
  const limits = { timeoutMs: 60_000, maxMegabytes: 64, signal, toError };
  const program = toProgram('throw new TypeError("no");');
  await expect(runInThread({ program }, limits)).rejects.toThrow('no');
});

test.each(['buffers', 'heap'])('a pool ends a thread that fills %s, and starts another', async (task) => {
  const run = createPool();
  await expect(run('one', task)).resolves.toEqual({ refusal: 'it took more than 64 MiB of memory' });
  await expect(run('one', 'next')).resolves.toEqual({ answer: 'next' });
});

test('a pool ends a thread that takes too long, and starts another', async () => {
  const run = createPool({ timeoutMs: 300 });
  await expect(run('one', 'forever')).resolves.toEqual({ refusal: 'it took longer than 300 ms' });
  await expect(run('two', 'next')).resolves.toEqual({ answer: 'next' });
});

test('a task of a pool that gets no processor time can be tried again', async () => {
  const run = createPool({ timeoutMs: 300 });
  await expect(run('one', 'idle')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  await expect(run('one', 'next')).resolves.toEqual({ answer: 'next' });
});

test('a task of a pool that gets no thread can be tried again', async () => {
  const run = createPool({ waitMs: 100 });
  const stop = new AbortController();
  const running = run('one', 'forever', stop.signal);
  await expect(run('one', 'next')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  stop.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
});

test('a pool ends a thread whose task is cancelled, and starts another', async () => {
  const run = createPool();
  const stop = new AbortController();
  const work = run('one', 'forever', stop.signal);
  stop.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
  await expect(run('two', 'next')).resolves.toEqual({ answer: 'next' });
});

test('a pool starts another thread after one has ended on its own', async () => {
  const run = createPool();
  await expect(run('one', 'exit')).rejects.toThrow('the thread that tests ended unexpectedly');
  await expect(run('one', 'next')).resolves.toEqual({ answer: 'next' });
});

test('a thread of a pool runs many tasks, and collects no listeners', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const run = createPool();
  for (let count = 0; count < 30; count += 1)
    await expect(run('one', `${count}`)).resolves.toEqual({ answer: `${count}` });
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});
