import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { documentsReadAtOnce } from '../../workflows/contract/document-steps.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import type { DocumentToRead, ReadDocument } from './read-document.ts';
import { unreadable } from './unreadable.ts';

/** The message that the thread sends back. */
export type ReaderAnswer = { document: ReadDocument } | { unreadable: string };

/** The limits of reading one document. */
export interface ReaderLimits {
  /** @default 120 000 */
  timeoutMs?: number;
  /** The limit of the heap, and also of the memory of buffers. @default 512 */
  maxMegabytes?: number;
  /** How many documents are read at the same time. @default 2 */
  threads?: number;
}

/** Reads one document. @throws HoldfastError `DOCUMENT_UNREADABLE` */
export type DocumentReader = (document: DocumentToRead, signal: AbortSignal) => Promise<ReadDocument>;

const watchIntervalMs = 100;
const megabyte = 1024 * 1024;

const program = new URL(`./reader-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/**
 * Builds a reader that reads each document in a thread of its own, since a hostile document can use up memory or time:
 * the thread is terminated at its limits, and the process goes on.
 */
export function createDocumentReader(limits: ReaderLimits = {}): DocumentReader {
  const { timeoutMs = 120_000, maxMegabytes = 512, threads = documentsReadAtOnce } = limits;
  const limit = pLimit(threads);
  return async (document, signal) => {
    signal.throwIfAborted();
    let toRead: DocumentToRead | undefined = document;
    const work = limit(() => {
      if (signal.aborted || !toRead) throw signal.reason as Error;
      return readInThread(toRead, { timeoutMs, maxMegabytes, signal });
    });
    try {
      return await unlessAborted(signal, () => work);
    } finally {
      // After an abort the function above stays in the queue until its turn; it must not keep the bytes in memory.
      toRead = undefined;
    }
  };
}

interface ThreadOptions {
  timeoutMs: number;
  maxMegabytes: number;
  signal: AbortSignal;
}

async function readInThread(document: DocumentToRead, { timeoutMs, maxMegabytes, signal }: ThreadOptions) {
  const bytes = new Uint8Array(document.bytes);
  const thread = new Worker(program, {
    workerData: { ...document, bytes },
    transferList: [bytes.buffer],
    // The thread sees no environment variables and no flags of the process.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>();
  const tooMuch = () =>
    reject(unreadable(`Reading the document took more than ${maxMegabytes} MiB of memory.`));
  const abort = () => reject(signal.reason as Error);
  thread.once('message', resolve);
  thread.once('error', (error) => (isOutOfMemory(error) ? tooMuch() : reject(error)));
  thread.once('exit', () => reject(unreadable('Reading the document ended unexpectedly.')));
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(
    () => reject(unreadable(`Reading the document took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
  const watch = watchMemory(thread, maxMegabytes, tooMuch);
  try {
    if (signal.aborted) abort();
    const answer = await promise;
    if ('unreadable' in answer) throw unreadable(answer.unreadable);
    return answer.document;
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
