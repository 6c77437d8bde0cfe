import { Context } from '@temporalio/activity';
import type { DocumentIngestion, DocumentSteps } from './document-contract.ts';
import { toActivityFailure } from '../../platform/activity/failures.ts';

const heartbeatIntervalMs = 2_000;

/** Builds the activities of the workflow that makes a document searchable. */
export function createDocumentActivities(ingestion: DocumentIngestion): DocumentSteps {
  return {
    readDocument: (input) => runStep((signal) => ingestion.read(input, signal)),
    embedChunks: (input) => runStep((signal) => ingestion.embed(input, signal)),
    finishDocument: (input) => runStep(() => ingestion.finish(input)),
    failDocument: (input) => runStep(() => ingestion.fail(input)),
  };
}

async function runStep<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const timer = setInterval(() => context.heartbeat(), heartbeatIntervalMs);
  try {
    return await run(cancellationSignal);
  } catch (error) {
    const { reason } = cancellationSignal as { reason?: unknown };
    const isCancelled = reason instanceof Error && reason.message === 'CANCELLED';
    // Any other abort, such as a shutdown or a lost heartbeat, fails this attempt, and the activity is retried.
    throw isCancelled ? reason : toActivityFailure(error);
  } finally {
    clearInterval(timer);
  }
}
