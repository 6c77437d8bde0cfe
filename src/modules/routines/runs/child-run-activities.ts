import { createRoutineError } from '../../../domain/routine-error.ts';
import { startChildRun } from './start-run.ts';
import type { RoutineSteps } from '../routine-contract.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { problem } from '../calls/read-routine-call.ts';
import { runRoutineStep } from '../run-routine-step.ts';

/** Builds the activities with which a run starts another one and reads how it ended. */
export function createChildRunActivities(
  dependencies: RoutineActivityDependencies,
): Pick<RoutineSteps, 'startChildRun' | 'readChildRun'> {
  const { pipelined, routines } = dependencies;
  return {
    startChildRun: (input) =>
      runRoutineStep(async () => {
        const started = await startChildRun(routines, input);
        return 'refusal' in started ? problem(createRoutineError('configuration', started.refusal)) : started;
      }),

    readChildRun: ({ workspaceId, runId }) =>
      runRoutineStep(async () => {
        const run = await pipelined(workspaceId, ({ routineRuns }) => routineRuns.getRun(runId));
        if (run.settledAt === null) return null;
        if (run.status === 'completed') return { output: run.output };
        if (run.error) return { problem: run.error };
        return problem(createRoutineError('runtime', `the run ${runId} was ${run.status}`));
      }),
  };
}
