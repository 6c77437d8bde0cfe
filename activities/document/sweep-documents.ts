import type { ActivityDependencies } from '../activity-dependencies.ts';
import type { UnfinishedDocument } from '../../src/db/knowledge/document-sweep-repository.ts';

/** The time for which a document must be unchanged before its workflow is checked, in milliseconds. */
const graceMs = 60_000;
const documentsPerSweep = 100;

type SweepDependencies = Pick<ActivityDependencies, 'documents' | 'logger'>;

/** Starts the processing of documents whose workflow is missing, and fails documents whose workflow has ended. */
export async function sweepDocuments(dependencies: SweepDependencies): Promise<void> {
  const { documents, logger } = dependencies;
  for (const document of await documents.sweep.listUnfinished({ graceMs, limit: documentsPerSweep })) {
    await sweepDocument(dependencies, document).catch((error: unknown) =>
      logger.error({ err: error, documentId: document.documentId }, 'a document could not be swept'),
    );
  }
}

async function sweepDocument(
  { documents, logger }: SweepDependencies,
  { name, ...document }: UnfinishedDocument,
) {
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
