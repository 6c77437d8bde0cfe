import type { UnfinishedDocument } from '../../src/db/knowledge/document-sweep-repository.ts';
import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** The age at which a document that was never started is started, in milliseconds: longer than a start takes. */
const startGraceMs = 10_000;
/** The time for which a document must be unchanged before its workflow is checked, in milliseconds. */
const checkGraceMs = 60_000;

type SweepDependencies = Pick<ActivityDependencies, 'documents'>;

/**
 * Starts the documents whose workflow was never started. Then checks the workflows of other unfinished documents: starts
 * those that are missing, and fails the documents whose workflow has ended.
 */
export async function sweepDocuments(dependencies: SweepDependencies, run: SweepRun): Promise<SweepCounts> {
  const { sweep } = dependencies.documents;
  const toId = ({ documentId }: UnfinishedDocument) => documentId;
  const started = await sweepRows(
    {
      take: () => sweep.takeUnstarted({ graceMs: startGraceMs, limit: sweepGroupSize }),
      toId,
      sweepRow: (document) => startDocument(dependencies, document),
    },
    run,
  );
  const checked = await sweepRows(
    {
      take: () => sweep.takeUnfinished({ graceMs: checkGraceMs, limit: sweepGroupSize }),
      toId,
      sweepRow: (document) => checkDocument(dependencies, document, run),
      markSwept: sweep.markSwept,
    },
    run,
  );
  return { done: started.done + checked.done, failed: started.failed + checked.failed };
}

/** Starting a workflow that has started already does nothing, so it is not looked for first. */
async function startDocument(
  { documents }: SweepDependencies,
  { name, ...document }: UnfinishedDocument,
): Promise<void> {
  await documents.engine.startIngestion(document, name);
  await documents.sweep.markStarted(document);
}

async function checkDocument(
  { documents }: SweepDependencies,
  { name, ...document }: UnfinishedDocument,
  { logger }: SweepRun,
): Promise<void> {
  const workflow = await documents.engine.findIngestion(document);
  if (workflow === 'running') return;
  if (workflow === 'missing') {
    await documents.engine.startIngestion(document, name);
    logger.warn(
      { documentId: document.documentId },
      'started the processing of a document that had no workflow',
    );
    return;
  }
  const message = 'The processing was ended by force. Process the document again.';
  await documents.ingestion.fail({ ...document, error: { code: 'INTERNAL', message } });
}
