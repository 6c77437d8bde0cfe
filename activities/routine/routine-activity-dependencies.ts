import type { Logger } from 'pino';
import type { WaitingTurnRepository } from '../../src/db/actions/waiting-turn-repository.ts';
import type { RoutineCallRepository } from '../../src/db/routines/routine-call-repository.ts';
import type { RoutineEventRepository } from '../../src/db/routines/routine-event-repository.ts';
import type { RoutineRunRepository } from '../../src/db/routines/routine-run-repository.ts';
import type { RoutineSweepRepository } from '../../src/db/routines/routine-sweep-repository.ts';
import type { UnitOfWork } from '../../src/db/unit-of-work.ts';
import type { Notifier } from '../../src/db/wakeups.ts';
import type { PolicyChecks } from '../../src/rules/tool-policy.ts';
import type { RoutineDependencies } from '../../src/routines/routine-dependencies.ts';
import type { TurnWorkflowState } from '../../src/domain/turn-status.ts';
import type { SettleTurnInput } from '../../workflows/contract/turn-steps.ts';

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
