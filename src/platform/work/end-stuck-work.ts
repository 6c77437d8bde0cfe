import type { Stuck, WorkflowRef } from '../../domain/stuck-workflow.ts';
import type { StuckSweepRepository } from './stuck-workflow-repository.ts';
import type { WorkKind } from './work-kind.ts';

/** The dependencies of the sweep for workflows whose tasks fail again and again. */
export interface StuckDependencies {
  sweep: StuckSweepRepository;
  engine: {
    /** Lists the next workflows that were open for `ageMs`; after the last ones, the first ones again. */
    listNextOpen: (options: { ageMs: number; limit: number }) => Promise<WorkflowRef[]>;
    /** Returns the failure of the task that a workflow cannot complete; null when it progresses, waits or has ended. */
    findTaskFailure: (workflowId: string) => Promise<Stuck | null>;
    terminateWorkflow: (workflowId: string, reason: string) => Promise<void>;
  };
  /** The kinds of stored work. */
  kinds: readonly WorkKind[];
  /** The time after which a workflow counts as stuck, in milliseconds. */
  afterMs: number;
}

/** Ends work that was stopped and whose workflow is stuck. */
export async function endStuckWork(
  dependencies: StuckDependencies,
  work: WorkflowRef,
  stuck: Stuck,
): Promise<void> {
  const { workflowId, workspaceId, kind } = work;
  const subjectId = work.subjectId ?? '';
  const ending = dependencies.kinds.find((each) => each.kind === kind)?.stuck;
  await ending?.store?.({ ...work, subjectId }, stuck);
  await terminateStuck(dependencies, workflowId, stuck);
  await ending?.restart?.(workspaceId, subjectId);
}

/** Terminates a stuck workflow whose work has ended. */
export async function terminateStuck(
  { engine, sweep }: Pick<StuckDependencies, 'engine' | 'sweep'>,
  workflowId: string,
  { cause }: Stuck,
): Promise<void> {
  await engine.terminateWorkflow(workflowId, `It was stuck when its work was over: ${cause}`);
  await sweep.removeStuck(workflowId);
}
