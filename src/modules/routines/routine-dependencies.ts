import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { RoutineRef, RoutineStatusAnswer, StopMode } from './routine-contract.ts';

/** The calls that routines make to Temporal. */
export interface RoutineEngine {
  /** Starts the workflow of a run; does nothing when it was started before. */
  startRoutine: (run: RoutineRef, shown: { summary: string; priority: number }) => Promise<void>;
  /** Notifies a run that an event was emitted, or that the run `changed`, for which it waits, has ended. */
  wakeRoutine: (runId: string, changed?: string) => Promise<void>;
  /** Asks the workflow of a run for its steps; null when it has ended or cannot be asked. */
  readRoutine: (runId: string) => Promise<RoutineStatusAnswer | null>;
  /**
   * Pauses, resumes or stops a run.
   * @throws HoldfastError `CONFLICT` for a run that has ended; `WORKFLOW_STUCK` for one whose workflow is stuck
   */
  controlRoutine: (runId: string, command: RoutineCommand) => Promise<void>;
}

/** A command of a person or an agent to a run. */
export type RoutineCommand = { name: 'pause' } | { name: 'resume' } | { name: 'stop'; mode: StopMode };

/** Everything that the use cases of routines need from outside. */
export interface RoutineDependencies extends RoutineEngine {
  database: Pick<Database, 'inWorkspace' | 'pipelined' | 'transact'>;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
