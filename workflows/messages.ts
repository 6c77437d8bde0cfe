import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ActionDecision, DecideActionResult } from './contract/turn-steps.ts';
import { decisionSignal } from './contract/submission.ts';
import { replaySignal, type ReplayProgress } from './contract/replay-steps.ts';
import {
  routineMessages,
  routineSignal,
  type RoutineStatusAnswer,
  type StopMode,
} from './contract/routine-steps.ts';
import { swarmSignal, type SwarmProgress, type SwarmStatusResult } from './contract/swarm-steps.ts';
import { deliverySignal } from './contract/webhook-steps.ts';

/** The step that a turn is at. */
export interface TurnProgress {
  iteration: number;
  step: 'model' | 'tools' | 'waiting' | 'settling' | 'settled';
}

/** The query that asks a turn's workflow for its step. */
export const turnProgress = defineQuery<TurnProgress>('turnProgress');

/**
 * Tells a turn's workflow that an action was decided, or that the turn of a tool call has begun to wait for people or
 * goes on, by its id. It is stored already.
 */
export const actionDecided = defineSignal<[id: string]>(decisionSignal);

/** Decides an action that a turn waits for, for people who work with Temporal alone; answers its status. */
export const decideAction = defineUpdate<DecideActionResult, [ActionDecision]>('decideAction');

/** Wakes a delivery to a webhook that waits for its next attempt. */
export const deliveryWoken = defineSignal(deliverySignal);

/** The step that the processing of a document is at. */
export interface DocumentIngestionProgress {
  name: string;
  step: 'reading' | 'embedding' | 'done' | 'failed';
  chunks: number;
  embeddedChunks: number;
}

/** The query that asks a document's workflow for its step. */
export const documentProgress = defineQuery<DocumentIngestionProgress>('documentProgress');

/** The query that asks the workflow of a replay how far it is. */
export const replayProgress = defineQuery<ReplayProgress>('replayProgress');

/** Tells the workflow of a replay that it was paused, resumed or cancelled. */
export const replayWoken = defineSignal(replaySignal);

/** The query that asks a run of a routine for its status and its steps. */
export const routineStatus = defineQuery<RoutineStatusAnswer>(routineMessages.status);

/** Tells a run of a routine that events were emitted, or by its id that a run which it waits for has ended. */
export const routineWoken = defineSignal<[changed?: string]>(routineSignal);

/** Pauses a run of a routine after the steps that run; answers its status. */
export const pauseRoutine = defineUpdate<RoutineStatusAnswer>(routineMessages.pause);

/** Lets a run of a routine go on; answers its status. */
export const resumeRoutine = defineUpdate<RoutineStatusAnswer>(routineMessages.resume);

/** Stops a run of a routine after the steps that run, or now; answers its status. */
export const stopRoutine = defineUpdate<RoutineStatusAnswer, [input: { mode?: StopMode } | null]>(
  routineMessages.stop,
);

/** The query that asks the workflow of a swarm how far it is. */
export const swarmProgress = defineQuery<SwarmProgress | null>('swarmProgress');

/** Tells the workflow of a swarm that its stored state has changed. */
export const swarmWoken = defineSignal(swarmSignal);

/** Changes the shared state of a swarm, for people who work with Temporal alone; the input is the body of the API. */
export const updateSwarm = defineUpdate<SwarmStatusResult, [unknown]>('updateSwarm');

/** Ends a swarm. */
export const endSwarm = defineUpdate<SwarmStatusResult, [unknown]>('endSwarm');

/** Lets nothing more begin until the swarm is resumed. */
export const pauseSwarm = defineUpdate<SwarmStatusResult>('pauseSwarm');

/** Lets a paused swarm go on. */
export const resumeSwarm = defineUpdate<SwarmStatusResult>('resumeSwarm');
