import { defineQuery } from '@temporalio/workflow';

/** How far a turn is, for whoever asks its workflow. */
export interface TurnProgress {
  iteration: number;
  step: 'model' | 'tools' | 'settling' | 'settled';
}

/** Asks a running turn how far it is. */
export const turnProgress = defineQuery<TurnProgress>('turnProgress');

/** How far the processing of a document is. */
export interface DocumentIngestionProgress {
  name: string;
  step: 'reading' | 'embedding' | 'done' | 'failed';
  chunks: number;
  embeddedChunks: number;
}

/** Asks the workflow of a document how far it is. */
export const documentProgress = defineQuery<DocumentIngestionProgress>('documentProgress');
