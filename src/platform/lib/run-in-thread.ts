import { Worker } from 'node:worker_threads';

/** The program of a thread, and the data that it is started with. */
export interface ThreadWork {
  program: URL;
  data: object;
  /** Buffers in the data that are handed over instead of copied. */
  transferred: ArrayBuffer[];
}

/** The limits of a thread. */
export interface ThreadLimits {
  timeoutMs: number;
  /** The limit of the heap, and also of the memory of buffers. */
  maxMegabytes: number;
  signal: AbortSignal;
  /** Makes the error for work that exceeded a limit; `reason` is such as "took longer than 20 s". */
  toError: (reason: string) => Error;
}

const watchIntervalMs = 100;
const megabyte = 1024 * 1024;

/** Returns the address of a program beside a module, in development and in the package. */
export function toThreadProgram(name: string, moduleUrl: string): URL {
  return new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl);
}

/**
 * Runs a program in its own thread and returns its first message. Hostile input can use up memory or time: then the
 * thread is terminated at its limits, and the process continues.
 */
export async function runInThread<Answer>(
  { program, data, transferred }: ThreadWork,
  { timeoutMs, maxMegabytes, signal, toError }: ThreadLimits,
): Promise<Answer> {
  const thread = new Worker(program, {
    workerData: data,
    transferList: transferred,
    // The thread sees no environment variables and no flags of the process.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const tooMuch = () => reject(toError(`took more than ${maxMegabytes} MiB of memory`));
  const abort = () => reject(signal.reason as Error);
  thread.once('message', resolve);
  thread.once('error', (error) => (isOutOfMemory(error) ? tooMuch() : reject(error)));
  thread.once('exit', () => reject(toError('ended unexpectedly')));
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => reject(toError(`took longer than ${timeoutMs / 1000} s`)), timeoutMs);
  const watch = watchMemory(thread, maxMegabytes, tooMuch);
  try {
    if (signal.aborted) abort();
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}

/** Limits the memory of buffers, which contain unpacked data. The limits of Node cover the heap of a thread only. */
function watchMemory(thread: Worker, maxMegabytes: number, tooMuch: () => void): NodeJS.Timeout {
  const isTooMuch = createMemoryCheck(thread, maxMegabytes);
  return setInterval(() => {
    isTooMuch().then(
      (isOver) => isOver && tooMuch(),
      // The thread has ended, so there is nothing to measure.
      () => undefined,
    );
  }, watchIntervalMs);
}

function createMemoryCheck(thread: Worker, maxMegabytes: number): () => Promise<boolean> {
  if ('getHeapStatistics' in thread) {
    return async () => (await thread.getHeapStatistics()).external_memory > maxMegabytes * megabyte;
  }
  // Node before 22.16 reports the memory of the whole process only. Then the growth of the process is limited, with room
  // for the heap of the thread, for its buffers and for the thread itself.
  const before = process.memoryUsage.rss();
  const mostGrowth = (2 * maxMegabytes + 64) * megabyte;
  return () => Promise.resolve(process.memoryUsage.rss() - before > mostGrowth);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
