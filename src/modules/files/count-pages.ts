import pLimit from 'p-limit';
import { HoldfastError } from '../../domain/errors.ts';
import { runInThread, toThreadProgram } from '../../platform/lib/thread.ts';

/** Counts the pages of a PDF; null for one that has a password or is broken. The bytes are transferred to a thread. */
export type PageCounter = (
  read: () => Promise<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
) => Promise<number | null>;

/** The message that the thread sends back. */
export interface PageCount {
  pages: number | null;
}

const program = toThreadProgram('page-thread', import.meta.url);

/**
 * Builds the counter. A PDF has to be read whole, so one is counted at a time, in a thread with limits of time and memory,
 * and `read` is called when its turn has come.
 */
export function createPageCounter({ timeoutMs = 20_000, maxMegabytes = 384 } = {}): PageCounter {
  const limit = pLimit(1);
  const toError = (reason: string) =>
    new HoldfastError('DOCUMENT_UNREADABLE', `Counting the pages of the PDF ${reason}.`);
  return (read, signal) =>
    limit(async () => {
      signal.throwIfAborted();
      const bytes = await read();
      const work = { program, data: { bytes }, transferred: [bytes.buffer] };
      const { pages } = await runInThread<PageCount>(work, { timeoutMs, maxMegabytes, signal, toError });
      return pages;
    });
}
