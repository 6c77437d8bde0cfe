import { createRoutineError, toProblemJson } from '../../src/domain/routine-error.ts';
import { startStoredRun } from '../../src/routines/start-run.ts';
import type { SilentRun } from '../../src/db/routines/routine-sweep-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { createSettleRoutine } from './settle-routine.ts';

const graceMs = 5_000;
const runsPerSweep = 100;

/** Starts runs whose workflow is missing, and ends those whose workflow has ended without storing how. */
export async function sweepRoutines(dependencies: ActivityDependencies): Promise<void> {
  const { routines, logger } = dependencies;
  for (const silent of await routines.sweep.takeSilent({ graceMs, limit: runsPerSweep })) {
    await sweepRun(dependencies, silent).catch((error: unknown) =>
      logger.error({ err: error, runId: silent.runId }, 'a routine run could not be swept'),
    );
  }
  await routines.sweep.removeOldEvents();
}

async function sweepRun(
  dependencies: ActivityDependencies,
  { runId, workspaceId }: SilentRun,
): Promise<void> {
  const { engine, routines, pipelined } = dependencies;
  const workflow = await engine.findTurnWorkflow(runId);
  if (workflow === 'running') return;
  const run = await pipelined(workspaceId, ({ routineRuns }) => routineRuns.findRun(runId));
  if (!run || run.settledAt !== null) return;
  // Its calls are in the ledger under the numbers of its steps: a run that starts again sends none of them twice.
  if (workflow === 'missing') return startStoredRun(routines, run);
  const problem = createRoutineError('runtime', 'the workflow of the run ended before it stored how', {
    instance: '/',
  });
  const { agentId, conversationId } = run;
  await createSettleRoutine(dependencies)({
    ...{ workspaceId, runId, agentId, conversationId },
    ...{ status: 'faulted', output: null, error: toProblemJson(problem.problem), steps: [] },
  });
}
