import { Worker } from 'node:worker_threads';
import { HoldfastError } from '../../domain/errors.ts';

/** A program for a thread, and the memory that it may take. */
export interface ThreadProgram {
  program: URL;
  /** The limit of the heap, and also of the memory of buffers. */
  maxMegabytes: number;
  /** The data that the thread is started with. @default none */
  data?: object;
  /** Buffers in the data that are handed over instead of copied. @default none */
  transferred?: ArrayBuffer[];
}

/** The limits of one piece of work. */
export interface WorkLimits extends Pick<ThreadProgram, 'maxMegabytes'> {
  /**
   * The maximum processor time, so that a busy machine fails no work. Work that gets less than a tenth of a processor is
   * given up after ten times as long.
   */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The message of a thread, or how its work ended without one; `starved` when it got too little of the processor. */
export type ThreadReply<Message> = { message: Message } | { ended: 'time' | 'starved' | 'memory' | 'exit' };

const watchIntervalMs = 100;
/** The shortest time between two looks at the processor time of a thread. */
const leastLookMs = 10;
/** How much longer than the time that it may use a piece of work may last. */
const starvedFactor = 10;
/** The least time that a piece of work may last when it gets too little of the processor. */
const leastStarvedMs = 5_000;
const megabyte = 1024 * 1024;

/** Returns the address of a program beside a module, in development and in the package. */
export function toThreadProgram(name: string, moduleUrl: string): URL {
  return new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl);
}

/**
 * Starts a thread for work in which hostile input can exhaust memory or time. Its caller waits for its messages with
 * {@link awaitMessage} and ends it with {@link endThread}.
 *
 * `piscina` and `tinypool` pass on the limits that Node has for the heap of a thread, but not for its buffers, which hold
 * unpacked data: they do not say which thread runs a task, so nothing can measure it, and `tinypool` measures the heap
 * after a task only. Neither has a limit of time, or turns for owners.
 */
export function startThread({ program, maxMegabytes, data, transferred = [] }: ThreadProgram): Worker {
  return new Worker(program, {
    workerData: data,
    transferList: transferred,
    // The thread sees no environment variables and no flags of the process.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 32 },
  });
}

/**
 * Waits for the next message of a thread, within the limits. A thread that did not send one has to be ended.
 * @throws the reason of the signal, or an error that the thread did not catch
 */
export async function awaitMessage<Message>(
  thread: Worker,
  { timeoutMs, maxMegabytes, signal }: WorkLimits,
): Promise<ThreadReply<Message>> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply<Message>>();
  const listeners = {
    message: (message: Message) => resolve({ message }),
    error: (error: Error) => (isOutOfMemory(error) ? resolve({ ended: 'memory' }) : reject(error)),
    exit: () => resolve({ ended: 'exit' }),
  };
  for (const [event, listener] of Object.entries(listeners)) thread.on(event, listener);
  const abort = () => reject(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const unwatchTime = watchTime(thread, timeoutMs, (ended) => resolve({ ended }));
  const watch = watchBuffers(thread, maxMegabytes, () => resolve({ ended: 'memory' }));
  try {
    return await promise;
  } finally {
    unwatchTime();
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    for (const [event, listener] of Object.entries(listeners)) thread.off(event, listener);
  }
}

/** Ends a thread, whatever it does. */
export async function endThread(thread: Worker): Promise<void> {
  // A thread that runs out of memory while it is ended reports that as an error, which no caller waits for.
  thread.on('error', () => undefined);
  await thread.terminate();
}

/** The limits of a thread for one piece of work. */
export interface ThreadLimits extends WorkLimits {
  /** Makes the error for work that exceeded a limit; `reason` is such as "took longer than 20 s". */
  toError: (reason: string) => Error;
}

/**
 * Runs a program in its own thread and returns its first message.
 * @throws HoldfastError `SERVICE_UNAVAILABLE` when the processor had no time for it
 */
export async function runInThread<Answer>(
  work: Omit<ThreadProgram, 'maxMegabytes'>,
  { toError, ...limits }: ThreadLimits,
): Promise<Answer> {
  const { timeoutMs, maxMegabytes } = limits;
  const thread = startThread({ ...work, maxMegabytes });
  const reasons = {
    time: `took longer than ${timeoutMs / 1000} s`,
    memory: `took more than ${maxMegabytes} MiB of memory`,
    exit: 'ended unexpectedly',
  };
  try {
    const reply = await awaitMessage<Answer>(thread, limits);
    if ('message' in reply) return reply.message;
    throw reply.ended === 'starved' ? createStarved('the work of a thread') : toError(reasons[reply.ended]);
  } finally {
    await endThread(thread);
  }
}

/** Calls `end` when the thread has used its time, or got too little of it. Returns the function that ends the watch. */
function watchTime(thread: Worker, timeoutMs: number, end: (how: 'time' | 'starved') => void): () => void {
  const begun = readUsedMs(thread);
  let isOver = false;
  const look = async () => {
    const leftMs = timeoutMs - ((await readUsedMs(thread)) - (await begun));
    if (isOver) return;
    if (leftMs <= 0) end('time');
    else lookAfter(Math.max(leftMs, leastLookMs));
  };
  let timer: NodeJS.Timeout | undefined;
  const lookAfter = (ms: number) => (timer = setTimeout(() => void look(), ms));
  lookAfter(timeoutMs);
  const starved = setTimeout(() => end('starved'), Math.max(timeoutMs * starvedFactor, leastStarvedMs));
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(starved);
  };
}

/** Reads the processor time of a thread; without it, in Node before 24.6, the time of the clock. */
async function readUsedMs(thread: Worker): Promise<number> {
  if (!('cpuUsage' in thread)) return performance.now();
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // The thread has ended, which its listeners report.
    return 0;
  }
}

/** The error of work that got too little of the processor: nothing is known about it, and it can be tried again. */
export function createStarved(what: string): HoldfastError {
  return new HoldfastError('SERVICE_UNAVAILABLE', `There was no time for ${what}. Try again shortly.`);
}

/** Limits the memory of buffers. The limits of Node are for the heap of a thread only. */
function watchBuffers(thread: Worker, maxMegabytes: number, tooMuch: () => void): NodeJS.Timeout {
  return setInterval(() => {
    thread.getHeapStatistics().then(
      ({ external_memory: bytes }) => bytes > maxMegabytes * megabyte && tooMuch(),
      // The thread has ended, so there is nothing to measure.
      () => undefined,
    );
  }, watchIntervalMs);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
