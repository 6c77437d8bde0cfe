import { createRoutineError } from '../../src/domain/routine-error.ts';
import { startChildRun } from '../../src/routines/start-run.ts';
import type {
  ReadChildRunResult,
  StartChildRunInput,
  StartChildRunResult,
} from '../../workflows/contract/routine-steps.ts';
import type { RoutineActivityDependencies } from './routine-activity-dependencies.ts';
import { problem } from './read-routine-call.ts';
import { runRoutineStep } from './run-routine-step.ts';

/** Builds the activities with which a run starts another one and reads how it ended. */
export function createChildRunActivities(dependencies: RoutineActivityDependencies) {
  const { pipelined, routines } = dependencies;
  return {
    startChildRun: (input: StartChildRunInput): Promise<StartChildRunResult> =>
      runRoutineStep(async () => {
        const started = await startChildRun(routines, input);
        return 'refusal' in started ? problem(createRoutineError('configuration', started.refusal)) : started;
      }),

    readChildRun: ({
      workspaceId,
      runId,
    }: {
      workspaceId: string;
      runId: string;
    }): Promise<ReadChildRunResult> =>
      runRoutineStep(async () => {
        const run = await pipelined(workspaceId, ({ routineRuns }) => routineRuns.getRun(runId));
        if (run.settledAt === null) return null;
        if (run.status === 'completed') return { output: run.output };
        if (run.error) return { problem: run.error };
        return problem(createRoutineError('runtime', `the run ${runId} was ${run.status}`));
      }),
  };
}
