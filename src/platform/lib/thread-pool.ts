import { Worker } from 'node:worker_threads';
import { createFairLimit } from './fair-limit.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The limits of a pool of threads. */
export interface ThreadLimits {
  /** @default 2 */
  threads?: number;
  /** The longest time of one task. @default 2000 */
  timeoutMs?: number;
  /** The heap of one thread. @default 128 */
  maxMegabytes?: number;
  /** The longest time that a task waits for a thread. @default 10 000 */
  waitMs?: number;
}

/** The result of a task, or the reason why it was given up. */
export type ThreadOutcome<Answer> = { answer: Answer } | { refusal: string };

/**
 * Runs a task of a workspace in a thread. When the signal aborts, the thread of the task is ended.
 * @throws the reason of the signal
 */
export type RunInThread<Task, Answer> = (
  workspaceId: string,
  task: Task,
  signal?: AbortSignal,
) => Promise<ThreadOutcome<Answer>>;

interface PoolOptions extends ThreadLimits {
  /** The program of a thread. It answers 'ready' first, and then each text with `{ answer }`. */
  program: URL;
  /** The purpose of the threads, for the error of one that ends unexpectedly. */
  what: string;
}

/** A workspace whose task took longer than this shares one thread with other such workspaces, for a minute. */
const slowMs = 500;
const slowForMs = 60_000;

/**
 * Builds a pool of threads for work that may take years or gigabytes whatever its size is: a thread that
 * exceeds its limits is ended, and the next task gets a new one. Threads start when they are needed, and idle ones do
 * not keep the process alive. Workspaces share the threads as `createFairLimit` says.
 */
export function createThreadPool<Task, Answer>(options: PoolOptions): RunInThread<Task, Answer> {
  const { threads = 2, timeoutMs = 2_000, maxMegabytes = 128, waitMs = 10_000, program, what } = options;
  const limit = createFairLimit({ slots: threads, slowMs, slowForMs, waitMs });
  const idle: Worker[] = [];
  return async (workspaceId, task, signal) => {
    const text = toText(task);
    if (text === null) return { refusal: 'it is nested too deeply' };
    const run = () =>
      limit(workspaceId, async (begin) => {
        if (signal?.aborted) return { refusal: abortedRefusal };
        const thread = idle.pop() ?? (await startThread({ program, maxMegabytes }));
        begin();
        return runInThread<Answer>({ thread, text, timeoutMs, maxMegabytes, idle, program, what, signal });
      });
    const outcome = await (signal ? unlessAborted(signal, run) : run());
    return outcome ?? { refusal: `other work of this workspace took longer than ${waitMs} ms` };
  };
}

function toText(task: unknown): string | null {
  try {
    return JSON.stringify(task);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function startThread({ program, maxMegabytes }: ThreadProgram): Promise<Worker> {
  const thread = new Worker(program, {
    // The thread sees no environment variables and no flags of the process.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 16 },
  });
  await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  stopListening(thread);
  return thread;
}

/** The program of a thread, and the heap that it may have. */
type ThreadProgram = Pick<PoolOptions, 'program'> & { maxMegabytes: number };

interface ThreadRun extends ThreadProgram, Pick<PoolOptions, 'what'> {
  thread: Worker;
  /** The task as JSON. */
  text: string;
  timeoutMs: number;
  /** Takes the thread when it can be used again. */
  idle: Worker[];
  signal: AbortSignal | undefined;
}

/** The reason of a task whose signal aborted; its caller gets the reason of the signal. */
const abortedRefusal = 'it was cancelled';

async function runInThread<Answer>(run: ThreadRun): Promise<ThreadOutcome<Answer>> {
  const { thread, timeoutMs, maxMegabytes, signal } = run;
  const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome<Answer>>();
  const abort = () => resolve({ refusal: abortedRefusal });
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const timer = setTimeout(() => resolve({ refusal: `it took longer than ${timeoutMs} ms` }), timeoutMs);
  thread.once('message', resolve);
  thread.once('error', (error) =>
    isOutOfMemory(error)
      ? resolve({ refusal: `it took more than ${maxMegabytes} MiB of memory` })
      : reject(error),
  );
  thread.once('exit', () => reject(new Error(`the thread that ${run.what} ended unexpectedly`)));
  thread.ref();
  thread.postMessage(run.text);
  let isUsable = false;
  try {
    const outcome = await promise;
    isUsable = 'answer' in outcome;
    return outcome;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    stopListening(thread);
    if (isUsable) watchIdle(thread, run.idle);
    else await replaceThread(run);
  }
}

/** Without the names, the listeners by which a thread hands its messages on would go as well. */
function stopListening(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

/** A thread that ends while it is idle is not used again. */
function watchIdle(thread: Worker, idle: Worker[]): void {
  thread.unref();
  const forget = () => {
    const index = idle.indexOf(thread);
    if (index !== -1) idle.splice(index, 1);
  };
  thread.once('error', forget);
  thread.once('exit', forget);
  idle.push(thread);
}

/** The workspace whose task was too much waits for the new thread, not the next one. */
async function replaceThread({ thread, idle, program, maxMegabytes }: ThreadRun): Promise<void> {
  // A thread that runs out of memory while it is ended reports that as an error, which nobody waits for.
  thread.on('error', () => undefined);
  await thread.terminate();
  watchIdle(await startThread({ program, maxMegabytes }), idle);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
