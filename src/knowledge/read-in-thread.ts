import { Worker } from 'node:worker_threads';
import type { ReadDocument } from '../domain/knowledge.ts';
import type { DocumentToRead } from './read-document.ts';
import { unreadable } from './unreadable.ts';

/** What the thread answers with. */
export type ReaderAnswer = { document: ReadDocument } | { unreadable: string };

/** What reading one document may take. */
export interface ReaderLimits {
  /** @default 120 000 */
  timeoutMs?: number;
  /** For values, and once more for binary data. @default 512 */
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
 * Builds a reader that reads each document in a thread of its own, since a document can be made to take all memory or
 * all time: the thread is ended at its limits, and nothing else notices.
 */
export function createDocumentReader(limits: ReaderLimits = {}): DocumentReader {
  const { timeoutMs = 120_000, maxMegabytes = 512, threads = 2 } = limits;
  const enter = createGate(threads);
  return async (document, signal) => {
    const leave = await enter(signal);
    try {
      return await readInThread(document, { timeoutMs, maxMegabytes, signal });
    } finally {
      leave();
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
    // Nothing of the process is there for a document to find.
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
  thread.once('exit', () => reject(unreadable('Reading the document broke off.')));
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

/** Node limits the heap of a thread only; what is unpacked lies outside of it, in buffers. */
function watchMemory(thread: Worker, maxMegabytes: number, tooMuch: () => void): NodeJS.Timeout {
  const isTooMuch = createMemoryCheck(thread, maxMegabytes);
  return setInterval(() => {
    isTooMuch().then(
      (isOver) => isOver && tooMuch(),
      // The thread has ended.
      () => undefined,
    );
  }, watchIntervalMs);
}

function createMemoryCheck(thread: Worker, maxMegabytes: number): () => Promise<boolean> {
  if ('getHeapStatistics' in thread) {
    return async () => (await thread.getHeapStatistics()).external_memory > maxMegabytes * megabyte;
  }
  // Node before 22.16 says only how much the process takes as a whole: then by how much that grows is the limit, which
  // leaves room for the heap of the thread, for its buffers and for the thread itself.
  const before = process.memoryUsage.rss();
  const mostGrowth = (2 * maxMegabytes + 64) * megabyte;
  return () => Promise.resolve(process.memoryUsage.rss() - before > mostGrowth);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Lets so many in at a time, the others in the order in which they came. */
function createGate(places: number): (signal: AbortSignal) => Promise<() => void> {
  let free = places;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return leave;
    }
    const turn = Promise.withResolvers<null>();
    const enter = () => turn.resolve(null);
    waiting.push(enter);
    const abort = () => {
      const place = waiting.indexOf(enter);
      if (place >= 0) waiting.splice(place, 1);
      if (place >= 0) turn.reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', abort));
    return leave;
  };
}
