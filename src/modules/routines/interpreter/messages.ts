import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import {
  routineMessages,
  routineSignal,
  type RoutineStatusAnswer,
  type StopMode,
} from '../routine-contract.ts';

/** The query that asks a run of a routine for its status and its steps. */
export const routineStatus = defineQuery<RoutineStatusAnswer>(routineMessages.status);

/** Notifies a run of a routine of emitted events or, with the id of a run for which it waits, of the end of that run. */
export const routineWoken = defineSignal<[changed?: string]>(routineSignal);

/** Pauses a run of a routine after the steps that run; answers its status. */
export const pauseRoutine = defineUpdate<RoutineStatusAnswer>(routineMessages.pause);

/** Lets a run of a routine continue; answers its status. */
export const resumeRoutine = defineUpdate<RoutineStatusAnswer>(routineMessages.resume);

/** Stops a run of a routine after the steps that run, or now; answers its status. */
export const stopRoutine = defineUpdate<RoutineStatusAnswer, [input: { mode?: StopMode } | null]>(
  routineMessages.stop,
);
