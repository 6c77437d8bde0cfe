import type { Stuck, WorkflowRef } from '../../domain/stuck-workflow.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import { endStuckWork, terminateStuck, type StuckDependencies } from './end-stuck-work.ts';
import { sweepRows, type SweepRun } from './sweep-rows.ts';

/** The maximum number of open workflows that a sweep checks, and the maximum that are stored as stuck already. */
const workflowsPerSweep = 200;

/**
 * Stores which workflows are stuck: their tasks have failed for `afterMs`, and none was completed. Ends the work that an
 * actor has stopped, since its workflow cannot. Removes the note of a workflow that progresses again or has ended.
 */
export async function sweepStuckWorkflows(
  dependencies: StuckDependencies,
  run: SweepRun,
): Promise<SweepCounts> {
  const { sweep, engine, afterMs } = dependencies;
  const known = await sweep.listStuck(workflowsPerSweep);
  const open = await engine.listNextOpen({ ageMs: afterMs, limit: workflowsPerSweep });
  const workflows = new Map([...open, ...known].map((workflow) => [workflow.workflowId, workflow]));
  return sweepRows(
    {
      take: () => Promise.resolve([...workflows.values()]),
      toId: ({ workflowId }) => workflowId,
      sweepRow: (workflow) => sweepWorkflow(dependencies, workflow, run),
    },
    run,
  );
}

async function sweepWorkflow(
  dependencies: StuckDependencies,
  workflow: WorkflowRef,
  { logger }: SweepRun,
): Promise<void> {
  const { sweep, engine, afterMs } = dependencies;
  const { workflowId, kind, workspaceId } = workflow;
  const failure = await engine.findTaskFailure(workflowId);
  if (!isStuck(failure, afterMs)) {
    const wasStuck = await sweep.removeStuck(workflowId);
    if (wasStuck) logger.warn({ workflowId, kind, workspaceId }, 'a workflow is no longer stuck');
    return;
  }
  const isNew = await sweep.storeStuck(workflow, failure);
  if (isNew) logger.warn({ workflowId, kind, workspaceId, ...failure }, 'a workflow is stuck');
  const demand = await sweep.readDemand(workflow);
  if (demand === 'continue') return;
  if (demand === 'stop') await endStuckWork(dependencies, workflow, failure);
  else await terminateStuck(dependencies, workflowId, failure);
  logger.warn({ workflowId, kind, workspaceId }, 'a workflow that was stuck is ended');
}

function isStuck(failure: Stuck | null, afterMs: number): failure is Stuck {
  return failure !== null && Date.parse(failure.since) <= Date.now() - afterMs;
}
