import { createRoutineError, toProblemJson } from '../../../domain/routine-error.ts';
import { toStuckError } from '../../../domain/stuck-workflow.ts';
import type { StuckHandling } from '../../../platform/work/work-kind.ts';
import type { RoutineActivityDependencies } from '../routine-activity-dependencies.ts';
import { createSettleRoutine } from './settle-routine.ts';

/** Creates the function that stores the end of a run that was stopped and whose workflow is stuck. */
export function createStuckRunEnding(
  dependencies: RoutineActivityDependencies,
): NonNullable<StuckHandling['store']> {
  const settleRoutine = createSettleRoutine(dependencies);
  return async ({ workspaceId, subjectId }, stuck) => {
    const run = await dependencies.pipelined(workspaceId, ({ routineRuns }) => routineRuns.getRun(subjectId));
    const { code: title, message } = toStuckError(stuck);
    const { problem } = createRoutineError('runtime', message, { title, instance: '/' });
    await settleRoutine({
      ...{ workspaceId, runId: run.id, agentId: run.agentId, conversationId: run.conversationId },
      ...{ status: 'faulted', output: null, error: toProblemJson(problem), steps: [] },
    });
  };
}
