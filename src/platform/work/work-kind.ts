import type { Stuck, WorkflowRef } from '../../domain/stuck-workflow.ts';
import type { Sweep } from './sweep-rows.ts';

/**
 * A kind of stored work: its row is stored first, and a workflow looks after it. The row decides: a workflow that was never
 * started, or was lost, is started again by the sweep.
 */
export interface WorkKind {
  /** Names the kind in logs and in the list of stuck workflows. */
  kind: string;
  /** The types of its workflows. */
  workflows: readonly string[];
  /** Starts, wakes or settles work whose workflow is missing. */
  sweep: Sweep;
  /** How work is ended whose workflow is stuck. @default its workflow is retried until an operator repairs the cause */
  stuck?: StuckHandling;
}

/** How work of a kind is ended when it was stopped, or has ended, and its workflow is stuck. */
export interface StuckHandling {
  /** Its table, which has the columns `id` and `settled_at`, and the condition in SQL under which work was stopped. */
  table: string;
  isStopped: string;
  /**
   * Stores the end before the workflow is terminated, for work with state that only its workflow has: a new workflow could
   * not end it.
   */
  store?: (work: WorkflowRef & { subjectId: string }, stuck: Stuck) => Promise<unknown>;
  /** Starts a new workflow after the stuck one is terminated, for work whose whole state is stored. */
  restart?: (workspaceId: string, id: string) => Promise<void>;
}
