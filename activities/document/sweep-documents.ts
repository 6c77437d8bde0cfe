import type { ActivityDependencies } from '../activity-dependencies.ts';
import type { UnfinishedDocument } from '../../src/db/knowledge/document-sweep-repository.ts';

/** The age at which a document that was never started is started, in milliseconds: longer than a start takes. */
const startGraceMs = 10_000;
/** The time for which a document must be unchanged before its workflow is checked, in milliseconds. */
const checkGraceMs = 60_000;
const checksPerSweep = 500;
/** The most time that one sweep spends on starting documents, in milliseconds. */
const startingMs = 10_000;
const groupSize = 20;

type SweepDependencies = Pick<ActivityDependencies, 'documents' | 'logger'>;
type SweepStep = (dependencies: SweepDependencies, document: UnfinishedDocument) => Promise<void>;

/**
 * Starts the documents whose workflow was never started, group by group until none is left. Then checks the workflows of
 * other unfinished documents: starts those that are missing, and fails the documents whose workflow has ended.
 */
export async function sweepDocuments(dependencies: SweepDependencies): Promise<void> {
  const { sweep } = dependencies.documents;
  const until = Date.now() + startingMs;
  for (;;) {
    const unstarted = await sweep.takeUnstarted({ graceMs: startGraceMs, limit: groupSize });
    await inGroup(dependencies, unstarted, startDocument);
    if (unstarted.length < groupSize || Date.now() >= until) break;
  }
  const unfinished = await sweep.takeUnfinished({ graceMs: checkGraceMs, limit: checksPerSweep });
  for (let start = 0; start < unfinished.length; start += groupSize) {
    await inGroup(dependencies, unfinished.slice(start, start + groupSize), checkDocument);
  }
}

/** A document that fails is logged and left to a later sweep; the other documents go on. */
async function inGroup(dependencies: SweepDependencies, group: UnfinishedDocument[], run: SweepStep) {
  const sweepOne = (document: UnfinishedDocument) =>
    run(dependencies, document).catch((error: unknown) =>
      dependencies.logger.error(
        { err: error, documentId: document.documentId },
        'a document could not be swept',
      ),
    );
  await Promise.all(group.map(sweepOne));
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
  { documents, logger }: SweepDependencies,
  { name, ...document }: UnfinishedDocument,
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
