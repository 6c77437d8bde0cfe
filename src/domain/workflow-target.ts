import { z } from 'zod';
import type { JsonObject, JsonValue } from './json.ts';
import { jsonObjectSchema } from './json-value.ts';

/** A workflow that tools of type `workflow` can start, as the API lists it. */
export const workflowTypeSchema = z.object({
  /** The value of `config.workflowId` of a tool. */
  id: z.string(),
  description: z.string(),
  /** The JSON Schema of the only argument of the workflow. */
  input: jsonObjectSchema,
  detach: z.boolean(),
  timeoutMs: z.int().nullable(),
});
export type WorkflowType = z.infer<typeof workflowTypeSchema>;

/** The workflow type and the task queue that a tool of type `workflow` starts a workflow with. */
export interface WorkflowTarget extends WorkflowType {
  workflowType: string;
  taskQueue: string;
}

/** Finds the workflows that tools of type `workflow` can start in a workspace. */
export interface WorkflowTargets {
  find: (workspaceId: string, id: string) => Promise<WorkflowTarget | null>;
  list: (workspaceId: string) => Promise<WorkflowTarget[]>;
}

/** The state of a workflow in Temporal; `missing` when Temporal has no such workflow. */
export type WorkflowState =
  | { status: 'missing' }
  | { status: 'running'; runId: string }
  | { status: 'completed'; result: unknown }
  | {
      status: 'failed' | 'cancelled' | 'terminated' | 'timed_out';
      message: string;
      /** The type of its failure. */
      type?: string;
      details?: JsonValue;
    };

/** Returns the id of the workflow that a tool call starts, the same for every attempt and every run of its turn. */
export function toToolWorkflowId(toolCallKey: string): string {
  return `tool-${toolCallKey}`;
}

/** Returns the result of a tool call whose workflow still runs. */
export function toRunningResult(workflowId: string, runId: string | null): JsonObject {
  return { status: 'running', workflowId, runId };
}
