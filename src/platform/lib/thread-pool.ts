import type { Worker } from 'node:worker_threads';
import { createFairLimit } from './fair-limit.ts';
import { awaitMessage, createStarved, endThread, startThread, type WorkLimits } from './thread.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The limits of a pool of threads. */
export interface ThreadLimits {
  /** @default 2 */
  threads?: number;
  /** The maximum processor time of one task. @default 2000 */
  timeoutMs?: number;
  /** The heap of one thread, and the memory of its buffers. @default 128 */
  maxMegabytes?: number;
  /** The longest time that a task waits for a thread. @default 10 000 */
  waitMs?: number;
}

/** The result of a task, or the limit that it exceeds, however often it is tried. */
export type ThreadOutcome<Answer> = { answer: Answer } | { refusal: string };

/**
 * Runs a task of a workspace in a thread. When the signal aborts, the thread of the task is ended.
 * @throws the reason of the signal; HoldfastError `SERVICE_UNAVAILABLE` when there was no thread or processor time for it
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
        signal?.throwIfAborted();
        const thread = idle.pop() ?? (await startReady({ program, maxMegabytes, idle }));
        begin();
        return runTask<Answer>({ thread, text, timeoutMs, maxMegabytes, idle, program, what, signal });
      });
    const outcome = await (signal ? unlessAborted(signal, run) : run());
    if (outcome) return outcome;
    const reason = `other work of this workspace took longer than ${waitMs} ms`;
    throw createStarved(`the thread that ${what}: ${reason}`);
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

/** Starts a thread, and waits until it is ready. One that ends while it is idle is not used again. */
async function startReady({ program, maxMegabytes, idle }: PoolThread): Promise<Worker> {
  const thread = startThread({ program, maxMegabytes });
  const forget = () => {
    const index = idle.indexOf(thread);
    if (index !== -1) idle.splice(index, 1);
  };
  const reply = await awaitMessage(thread, { maxMegabytes, timeoutMs: startMs });
  thread.on('error', forget);
  thread.on('exit', forget);
  if ('message' in reply) return thread;
  await endThread(thread);
  throw new Error(`a thread could not be started: ${reply.ended}`);
}

/** The longest time that a thread may take to load its program. */
const startMs = 60_000;

interface PoolThread extends Pick<PoolOptions, 'program'>, Pick<WorkLimits, 'maxMegabytes'> {
  /** The threads that can be used. */
  idle: Worker[];
}

interface TaskRun extends PoolThread, WorkLimits, Pick<PoolOptions, 'what'> {
  thread: Worker;
  /** The task as JSON. */
  text: string;
}

async function runTask<Answer>(run: TaskRun): Promise<ThreadOutcome<Answer>> {
  const { thread, timeoutMs, maxMegabytes } = run;
  thread.ref();
  thread.postMessage(run.text);
  let isUsable = false;
  try {
    const reply = await awaitMessage<{ answer: Answer }>(thread, run);
    isUsable = 'message' in reply;
    if ('message' in reply) return reply.message;
    if (reply.ended === 'exit') throw new Error(`the thread that ${run.what} ended unexpectedly`);
    if (reply.ended === 'starved') throw createStarved(`the thread that ${run.what}`);
    if (reply.ended === 'time') return { refusal: `it took longer than ${timeoutMs} ms` };
    return { refusal: `it took more than ${maxMegabytes} MiB of memory` };
  } finally {
    if (isUsable) keepIdle(thread, run.idle);
    else await replaceThread(run);
  }
}

function keepIdle(thread: Worker, idle: Worker[]): void {
  thread.unref();
  idle.push(thread);
}

/** The workspace whose task was too much waits for the new thread, not the next one. */
async function replaceThread(run: TaskRun): Promise<void> {
  await endThread(run.thread);
  keepIdle(await startReady(run), run.idle);
}
