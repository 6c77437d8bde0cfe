import { createRoutineError, toProblemJson } from '../../domain/routine-error.ts';
import { startRunWorkflow } from './runs/start-run.ts';
import type { SilentRun } from './routine-sweep-repository.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { RoutineActivityDependencies } from './routine-activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';
import { createSettleRoutine } from './runs/settle-routine.ts';

const graceMs = 5_000;

/** Starts runs whose workflow is missing, and ends those whose workflow has ended without storing how. */
export async function sweepRoutines(
  dependencies: RoutineActivityDependencies,
  run: SweepRun,
): Promise<SweepCounts> {
  const { sweep } = dependencies;
  const counts = await sweepRows(
    {
      take: () => sweep.takeSilent({ graceMs, limit: sweepGroupSize }),
      toId: ({ runId }) => runId,
      sweepRow: (silent) => sweepRun(dependencies, silent),
      markSwept: sweep.markSwept,
    },
    run,
  );
  await sweep.removeOldEvents();
  return counts;
}

async function sweepRun(
  dependencies: RoutineActivityDependencies,
  { runId, workspaceId }: SilentRun,
): Promise<void> {
  const { findTurnWorkflow, routines, pipelined } = dependencies;
  const workflow = await findTurnWorkflow(runId);
  if (workflow === 'running') return;
  const run = await pipelined(workspaceId, ({ routineRuns }) => routineRuns.findRun(runId));
  if (!run || run.settledAt !== null) return;
  // Its calls are in the ledger under the numbers of its steps: a run that starts again sends none of them twice.
  if (workflow === 'missing') return startRunWorkflow(routines, run);
  const problem = createRoutineError('runtime', 'the workflow of the run ended before it stored how', {
    instance: '/',
  });
  const { agentId, conversationId } = run;
  await createSettleRoutine(dependencies)({
    ...{ workspaceId, runId, agentId, conversationId },
    ...{ status: 'faulted', output: null, error: toProblemJson(problem.problem), steps: [] },
  });
}
