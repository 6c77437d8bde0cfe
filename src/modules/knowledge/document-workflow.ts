import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import {
  type Busy,
  chunksPerEmbedding,
  type DocumentGeneration,
  type DocumentIngestionProgress,
  type DocumentIngestionResult,
} from './document-contract.ts';
import { errorCodes, type ErrorCode, type ErrorInfo } from '../../domain/errors.ts';
import { createDocumentSteps } from './document-steps-workflow.ts';

/** The query that asks a document's workflow for its step. */
const documentProgress = defineQuery<DocumentIngestionProgress>('documentProgress');

/**
 * Makes a document searchable: reads it and cuts it into chunks, embeds the chunks one batch after the other, and replaces
 * the chunks that were found before. The text of the document does not pass through the workflow.
 */
export async function documentIngestion(document: DocumentGeneration): Promise<DocumentIngestionResult> {
  const steps = createDocumentSteps();
  const progress: DocumentIngestionProgress = { name: '', step: 'reading', chunks: 0, embeddedChunks: 0 };
  setHandler(documentProgress, () => progress);
  const note = (change: Partial<DocumentIngestionProgress>) => {
    Object.assign(progress, change);
    setCurrentDetails(toDetails(progress));
  };
  try {
    const result = await ingest(document, steps, note);
    note({ step: 'done' });
    return result;
  } catch (error) {
    const info = toErrorInfo(error);
    await CancellationScope.nonCancellable(() => steps.failDocument({ ...document, error: info }));
    note({ step: 'failed' });
    return { outcome: 'failed', chunks: 0 };
  }
}

const superseded: DocumentIngestionResult = { outcome: 'superseded', chunks: 0 };

async function ingest(
  document: DocumentGeneration,
  { readDocument, embedChunks, finishDocument }: ReturnType<typeof createDocumentSteps>,
  note: (change: Partial<DocumentIngestionProgress>) => void,
): Promise<DocumentIngestionResult> {
  const reading = await whenFree(() => readDocument(document));
  if (!reading) return superseded;
  const { name, chunks, embeddingModel } = reading;
  note({ name, chunks, step: 'embedding' });
  for (let from = 0; embeddingModel !== null && from < chunks; from += chunksPerEmbedding) {
    const to = Math.min(from + chunksPerEmbedding, chunks);
    const embedded = await whenFree(() => embedChunks({ ...document, embeddingModel, from, to }));
    if (!embedded) return superseded;
    note({ embeddedChunks: embedded.embeddedChunks });
  }
  const finished = await finishDocument({ ...document, embeddingModel });
  return finished ? { outcome: 'ready', chunks: finished.chunks } : superseded;
}

const firstWaitMs = 500;
/** So long that the history stays within its limits for the day that a document may take. */
const longestWaitMs = 30_000;

/** Repeats a step, with growing waits, while other documents of the workspace use all of its slots. */
async function whenFree<Result>(run: () => Promise<Result | Busy>): Promise<Result> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const result = await run();
    if (result !== 'busy') return result;
    await sleep(waitMs, { summary: 'waits for other documents of the workspace' });
  }
}

function toDetails({ name, step, chunks, embeddedChunks }: DocumentIngestionProgress): string {
  // A user chose the name, so characters with a meaning in Markdown or HTML are escaped.
  const title = name.replace(/[\\`*_[\]<>#|!~]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
  return [`**${title}**`, step, `${chunks} chunks, ${embeddedChunks} embedded`].join('\n\n');
}

function toErrorInfo(error: unknown): ErrorInfo {
  if (isCancellation(error)) {
    return {
      code: 'INTERNAL',
      message: 'The processing was cancelled. Process the document again when it is wanted.',
    };
  }
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type && isErrorCode(cause.type)) {
    return { code: cause.type, message: cause.message };
  }
  return { code: 'INTERNAL', message: 'No attempt at processing the document ended in time.' };
}

function isErrorCode(type: string): type is ErrorCode {
  return Object.hasOwn(errorCodes, type);
}
