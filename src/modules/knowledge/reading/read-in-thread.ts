import pLimit from 'p-limit';
import { runInThread, toThreadProgram } from '../../../platform/lib/thread.ts';
import { unlessAborted } from '../../../platform/lib/unless-aborted.ts';
import { documentsReadAtOnce } from '../document-queues.ts';
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

const program = toThreadProgram('reader-thread', import.meta.url);

/**
 * Builds a reader that reads each document in its own thread, since a hostile document can use up memory or time:
 * the thread is terminated at its limits, and the process continues.
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

async function readInThread(document: DocumentToRead, options: ThreadOptions): Promise<ReadDocument> {
  const bytes = new Uint8Array(document.bytes);
  const work = { program, data: { ...document, bytes }, transferred: [bytes.buffer] };
  const toError = (reason: string) => unreadable(`Reading the document ${reason}.`);
  const answer = await runInThread<ReaderAnswer>(work, { ...options, toError });
  if ('unreadable' in answer) throw unreadable(answer.unreadable);
  return answer.document;
}
