import { defineQuery } from '@temporalio/workflow';

/** The step that a turn is at. */
export interface TurnProgress {
  iteration: number;
  step: 'model' | 'tools' | 'settling' | 'settled';
}

/** The query that asks a turn's workflow for its step. */
export const turnProgress = defineQuery<TurnProgress>('turnProgress');

/** The step that the processing of a document is at. */
export interface DocumentIngestionProgress {
  name: string;
  step: 'reading' | 'embedding' | 'done' | 'failed';
  chunks: number;
  embeddedChunks: number;
}

/** The query that asks a document's workflow for its step. */
export const documentProgress = defineQuery<DocumentIngestionProgress>('documentProgress');
