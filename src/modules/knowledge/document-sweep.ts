import type { DocumentSweepRepository, UnfinishedDocument } from './document-sweep-repository.ts';
import type { DocumentGeneration, DocumentIngestion, StartIngestion } from './document-contract.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

interface DocumentSweepParts {
  ingestion: Pick<DocumentIngestion, 'fail'>;
  sweep: DocumentSweepRepository;
  engine: {
    startIngestion: StartIngestion;
    /** Returns whether the workflow of a document runs, has ended, or is unknown to Temporal. */
    findIngestion: (document: DocumentGeneration) => Promise<'running' | 'closed' | 'missing'>;
  };
}

/**
 * Starts the documents whose workflow was never started. Then checks the workflows of other unfinished documents: starts
 * those that are missing, and fails the documents whose workflow has ended.
 */
export async function sweepDocuments(parts: DocumentSweepParts, run: SweepRun): Promise<SweepCounts> {
  const { sweep } = parts;
  const toId = ({ documentId }: UnfinishedDocument) => documentId;
  const started = await sweepRows(
    {
      take: () => sweep.unstarted.take(sweepGroupSize),
      toId,
      sweepRow: (document) => startDocument(parts, document),
    },
    run,
  );
  const checked = await sweepRows(
    {
      take: () => sweep.unfinished.take(sweepGroupSize),
      toId,
      sweepRow: (document) => checkDocument(parts, document, run),
      markSwept: sweep.unfinished.markSwept,
    },
    run,
  );
  return { done: started.done + checked.done, failed: started.failed + checked.failed };
}

/** Starting a workflow that has started already does nothing, so there is no check for it before. */
async function startDocument(
  { sweep, engine }: DocumentSweepParts,
  { name, ...document }: UnfinishedDocument,
): Promise<void> {
  await engine.startIngestion(document, name);
  await sweep.markStarted(document);
}

async function checkDocument(
  { ingestion, engine }: DocumentSweepParts,
  { name, ...document }: UnfinishedDocument,
  { logger }: SweepRun,
): Promise<void> {
  const workflow = await engine.findIngestion(document);
  if (workflow === 'running') return;
  if (workflow === 'missing') {
    await engine.startIngestion(document, name);
    logger.warn(
      { documentId: document.documentId },
      'started the processing of a document that had no workflow',
    );
    return;
  }
  const message = 'The processing was ended by force. Process the document again.';
  await ingestion.fail({ ...document, error: { code: 'INTERNAL', message } });
}
