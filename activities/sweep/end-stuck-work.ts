import { createRoutineError, toProblemJson } from '../../src/domain/routine-error.ts';
import {
  toStuckError,
  type Stuck,
  type StuckKind,
  type WorkflowRef,
} from '../../src/domain/stuck-workflow.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { createSettleRoutine } from '../routine/settle-routine.ts';
import { createSettleTurn } from '../turn/settle-turn.ts';

type Ending = (dependencies: ActivityDependencies, work: WorkflowRef, stuck: Stuck) => Promise<unknown>;
type Restart = (
  dependencies: ActivityDependencies,
  place: { workspaceId: string },
  id: string,
) => Promise<void>;

/** A turn or a run has state that only its workflow has, so a new workflow could not end it. */
const endings: Partial<Record<StuckKind, Ending>> = { turn: endTurn, routine_run: endRun };

/** All state of a swarm or a replay is stored, so a new workflow ends it as any other one. */
const restarts: Partial<Record<StuckKind, Restart>> = {
  swarm: ({ swarms }, place, swarmId) => swarms.dependencies.startSwarm({ ...place, swarmId }),
  replay: ({ replays }, place, replayId) => replays.startReplay({ ...place, replayId }),
};

/** Ends work that was stopped and whose workflow is stuck. The end is stored before the workflow is terminated. */
export async function endStuckWork(
  dependencies: ActivityDependencies,
  work: WorkflowRef,
  stuck: Stuck,
): Promise<void> {
  const { workflowId, workspaceId, kind, subjectId } = work;
  await endings[kind]?.(dependencies, work, stuck);
  await terminateStuck(dependencies, workflowId, stuck);
  await restarts[kind]?.(dependencies, { workspaceId }, subjectId ?? '');
}

/** Terminates a stuck workflow whose work is over. */
export async function terminateStuck(
  { stuck: { engine, sweep } }: ActivityDependencies,
  workflowId: string,
  { cause }: Stuck,
): Promise<void> {
  await engine.terminateWorkflow(workflowId, `It was stuck when its work was over: ${cause}`);
  await sweep.removeStuck(workflowId);
}

function endTurn(
  dependencies: ActivityDependencies,
  { workspaceId, subjectId }: WorkflowRef,
  stuck: Stuck,
): Promise<unknown> {
  return createSettleTurn(dependencies)({
    ...{ workspaceId, turnId: subjectId ?? '', iterations: 0 },
    ...{ outcome: 'failed', error: toStuckError(stuck) },
  });
}

async function endRun(
  dependencies: ActivityDependencies,
  { workspaceId, subjectId }: WorkflowRef,
  stuck: Stuck,
): Promise<void> {
  const run = await dependencies.pipelined(workspaceId, ({ routineRuns }) =>
    routineRuns.getRun(subjectId ?? ''),
  );
  const { code: title, message } = toStuckError(stuck);
  const { problem } = createRoutineError('runtime', message, { title, instance: '/' });
  await createSettleRoutine(dependencies)({
    ...{ workspaceId, runId: run.id, agentId: run.agentId, conversationId: run.conversationId },
    ...{ status: 'faulted', output: null, error: toProblemJson(problem), steps: [] },
  });
}
