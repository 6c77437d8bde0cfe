import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ActionDecision, DecideActionResult } from '../src/contract/turn-steps.ts';
import { decisionSignal } from '../src/contract/submission.ts';

/** The step that a turn is at. */
export interface TurnProgress {
  iteration: number;
  step: 'model' | 'tools' | 'waiting' | 'settling' | 'settled';
}

/** The query that asks a turn's workflow for its step. */
export const turnProgress = defineQuery<TurnProgress>('turnProgress');

/**
 * Signals a turn's workflow that an action was decided, or that the turn of a tool call has begun to wait for people or
 * continues, by its id. The change is stored already.
 */
export const actionDecided = defineSignal<[id: string]>(decisionSignal);

/** Decides an action that a turn waits for, for people who work with Temporal alone; returns its status. */
export const decideAction = defineUpdate<DecideActionResult, [ActionDecision]>('decideAction');
