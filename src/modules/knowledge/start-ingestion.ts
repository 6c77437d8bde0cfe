import type { Logger } from 'pino';
import type { StoredDocument } from './document-repository.ts';
import type { KnowledgeDependencies } from './knowledge-dependencies.ts';

/** Dependencies of the use cases that start the processing of a document. */
export interface IngestionDependencies extends Pick<KnowledgeDependencies, 'database' | 'startIngestion'> {
  logger: Pick<Logger, 'warn'>;
}

/** Starts the processing of a stored document. A failure is only logged, since the sweeper starts it later. */
export async function startIngestion(
  dependencies: IngestionDependencies,
  workspaceId: string,
  { document, generation }: StoredDocument,
): Promise<void> {
  try {
    await dependencies.startIngestion({ workspaceId, documentId: document.id, generation }, document.name);
  } catch (error) {
    dependencies.logger.warn(
      { err: error, documentId: document.id },
      'the document is stored, but its processing is not started; the sweeper will start it',
    );
  }
}
