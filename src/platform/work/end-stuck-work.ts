import type { Stuck, StuckKind, WorkflowRef } from '../../domain/stuck-workflow.ts';
import type { StuckSweepRepository } from './stuck-workflow-repository.ts';

/** Ends one kind of work whose workflow is stuck. */
export interface StuckEnding {
  /**
   * Stores the end before the workflow is terminated, for work with state that only its workflow has: a new workflow could
   * not end it.
   */
  store?: (work: WorkflowRef & { subjectId: string }, stuck: Stuck) => Promise<unknown>;
  /** Starts a new workflow after the stuck one is terminated, for work whose whole state is stored. */
  restart?: (workspaceId: string, id: string) => Promise<void>;
}

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
  /** How each kind of work is ended; a kind without an entry has only its workflow terminated. */
  endings: Partial<Record<StuckKind, StuckEnding>>;
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
  const ending = dependencies.endings[kind];
  await ending?.store?.({ ...work, subjectId }, stuck);
  await terminateStuck(dependencies, workflowId, stuck);
  await ending?.restart?.(workspaceId, subjectId);
}

/** Terminates a stuck workflow whose work is over. */
export async function terminateStuck(
  { engine, sweep }: Pick<StuckDependencies, 'engine' | 'sweep'>,
  workflowId: string,
  { cause }: Stuck,
): Promise<void> {
  await engine.terminateWorkflow(workflowId, `It was stuck when its work was over: ${cause}`);
  await sweep.removeStuck(workflowId);
}
