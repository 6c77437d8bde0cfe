import { defineQuery } from '@temporalio/workflow';

/** How far a turn is, for whoever asks its workflow. */
export interface TurnProgress {
  iteration: number;
  step: 'model' | 'tools' | 'settling' | 'settled';
}

/** Asks a running turn how far it is. */
export const turnProgress = defineQuery<TurnProgress>('turnProgress');
