import type { Database } from '../../platform/database/connect-database.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import { createWaitingTurnRepository } from '../actions/waiting-turn-repository.ts';
import { createRoutineCallRepository } from './calls/routine-call-repository.ts';
import { createRoutineActivities } from './routine-activities.ts';
import type { RoutineActivityDependencies } from './routine-activity-dependencies.ts';
import { createRoutineSweepRepository } from './routine-sweep-repository.ts';
import { sweepRoutines } from './routine-sweep.ts';
import { createRoutineEventRepository } from './runs/routine-event-repository.ts';
import { createRoutineRunRepository } from './runs/routine-run-repository.ts';
import { createStuckRunEnding } from './runs/stuck-run.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { createRoutineEngine } from './routine-engine.ts';
import { routineRoutes } from './routine-routes.ts';
import { routineRunRoutes } from './runs/routine-run-routes.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'routine.created': true;
    'routine.updated': true;
    'routine.deleted': true;
    'routine_run.started': true;
    'routine_run.ended': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts extends Omit<RoutineActivityDependencies, 'pipelined' | 'transact' | 'sweep'> {
  database: Database;
  /** The transactions of a worker, which are tried again while the database is unreachable. */
  units: { inPipeline: UnitOfWork<Query>; inTransaction: UnitOfWork<Query> };
}

function createRepositories(query: Query) {
  return {
    routineRuns: createRoutineRunRepository(query),
    routineCalls: createRoutineCallRepository(query),
    routineEvents: createRoutineEventRepository(query),
    waiting: createWaitingTurnRepository(query),
  };
}

/** The module of routines. */
export const routines = defineModule({
  name: 'routines',
  routes: [...routineRoutes, ...routineRunRoutes],
  tables: [
    { name: 'routine_steps', most: 1000, key: ['run_id', 'number'] },
    { name: 'routine_runs', most: 100 },
    { name: 'routine_events', most: 500 },
    { name: 'routine_versions', most: 50, key: ['routine_id', 'version'] },
    { name: 'routines', most: 100 },
  ],
  engine: ({ toReport, ...parts }) => {
    const { startRoutine, wakeRoutine, ...asked } = createRoutineEngine(parts);
    return {
      ...asked,
      startRoutine: toReport('startRoutine', startRoutine),
      wakeRoutine: toReport('wakeRoutine', wakeRoutine),
    };
  },
  worker: ({ database, units, ...parts }: WorkerParts) => {
    const dependencies: RoutineActivityDependencies = {
      ...parts,
      pipelined: (workspaceId, run) =>
        units.inPipeline(workspaceId, (query) => run(createRepositories(query))),
      transact: (workspaceId, run) =>
        units.inTransaction(workspaceId, (query) => run(createRepositories(query))),
      sweep: createRoutineSweepRepository(database.system),
    };
    return {
      activities: createRoutineActivities(dependencies),
      work: [
        {
          kind: 'routine_run',
          workflows: ['routineRun'],
          sweep: { name: 'routines', sweep: (run) => sweepRoutines(dependencies, run) },
          // A run has the id of its turn.
          stuck: {
            ...{ table: 'turns', isStopped: 'cancel_requested_at IS NOT NULL' },
            store: createStuckRunEnding(dependencies),
          },
        },
      ],
    };
  },
});
