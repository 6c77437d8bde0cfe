import { parentPort, workerData } from 'node:worker_threads';
import { HoldfastError } from '../../../domain/errors.ts';
import { readDocument, type DocumentToRead } from './read-document.ts';
import type { ReaderAnswer } from './read-in-thread.ts';

/** The program of a thread: reads one document and sends back the result or the reason why it is unreadable. */
async function run(): Promise<ReaderAnswer> {
  try {
    return { document: await readDocument(workerData as DocumentToRead) };
  } catch (error) {
    if (error instanceof HoldfastError) return { unreadable: error.message };
    throw error;
  }
}

parentPort?.postMessage(await run());
