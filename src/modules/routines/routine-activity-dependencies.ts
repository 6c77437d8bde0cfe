import type { Logger } from 'pino';
import type { WaitingTurnRepository } from '../actions/waiting-turn-repository.ts';
import type { RoutineCallRepository } from './calls/routine-call-repository.ts';
import type { RoutineEventRepository } from './runs/routine-event-repository.ts';
import type { RoutineRunRepository } from './runs/routine-run-repository.ts';
import type { RoutineSweepRepository } from './routine-sweep-repository.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import type { Notifier } from '../../platform/database/wakeups.ts';
import type { PolicyChecks } from '../../engines/rules/tool-policy.ts';
import type { RoutineDependencies } from './routine-dependencies.ts';
import type { TurnWorkflowState } from '../../domain/turn-status.ts';
import type { SettleTurnInput } from '../../contract/turn-steps.ts';

/** The repositories that the activities of routines use within one transaction. */
export interface RoutineRepositories {
  routineRuns: RoutineRunRepository;
  routineCalls: RoutineCallRepository;
  routineEvents: RoutineEventRepository;
  waiting: WaitingTurnRepository;
}

/** The dependencies of the activities of routines, except the one that calls tools. */
export interface RoutineActivityDependencies {
  /** A transaction of one round trip: the work must call all its statements before it awaits one of them. */
  pipelined: UnitOfWork<RoutineRepositories>;
  /** A transaction for statements that depend on the results of earlier ones. */
  transact: UnitOfWork<RoutineRepositories>;
  /** The dependencies of the use cases of routines. */
  routines: RoutineDependencies;
  sweep: RoutineSweepRepository;
  checksOf: (workspaceId: string) => Pick<PolicyChecks, 'checkSchema'>;
  /** Ends the turn of a run with its open calls. */
  settleTurn: (input: SettleTurnInput) => Promise<unknown>;
  findTurnWorkflow: (turnId: string) => Promise<TurnWorkflowState>;
  notifier: Pick<Notifier, 'events'>;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}
