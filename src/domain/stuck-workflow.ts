import { z } from 'zod';
import type { ErrorInfo } from './errors.ts';

/** A workflow, and the work that it does. */
export interface WorkflowRef {
  workflowId: string;
  workspaceId: string;
  /** The kind of stored work, such as `turn`; `workflow` for a workflow of the operator. */
  kind: string;
  /** The id of its turn, run, swarm and so on: the first UUID of the workflow's id, and null when there is none. */
  subjectId: string | null;
}

/** A workflow whose tasks fail again and again: since when, and the failure. Work that progresses does not have it. */
export const stuckSchema = z.object({ since: z.string(), cause: z.string() });
export type Stuck = z.infer<typeof stuckSchema>;

/** The error of work that was stopped while its workflow was stuck. */
export function toStuckError({ since, cause }: Stuck): ErrorInfo {
  const message = `It was stopped while its workflow was stuck, since ${since}: ${cause}`;
  return { code: 'WORKFLOW_STUCK', message };
}
