import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import type { PageCount } from './count-pages.ts';

/** The program of a thread: counts the pages of a PDF, and sends back null for one that cannot be opened. */
async function run(): Promise<PageCount> {
  const { bytes } = workerData as { bytes: Uint8Array };
  try {
    const pdf = await getDocumentProxy(bytes, { useSystemFonts: false, verbosity: 0 });
    return { pages: pdf.numPages };
  } catch {
    return { pages: null };
  }
}

parentPort?.postMessage(await run());
