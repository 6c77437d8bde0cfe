import { z } from 'zod';
import type { JsonObject, JsonValue } from './json.ts';
import { jsonObjectSchema } from './tool.ts';

/** A workflow that tools of type `workflow` start, as callers are shown it. */
export const workflowTypeSchema = z.object({
  /** What `config.workflowId` of a tool says. */
  id: z.string(),
  description: z.string(),
  /** JSON Schema of the one input that the workflow is started with. */
  input: jsonObjectSchema,
  detach: z.boolean(),
  timeoutMs: z.int().nullable(),
});
export type WorkflowType = z.infer<typeof workflowTypeSchema>;

/** Where a tool of type `workflow` leads: a workflow type on a task queue of the same namespace. */
export interface WorkflowTarget extends WorkflowType {
  workflowType: string;
  taskQueue: string;
}

/** Finds what tools of type `workflow` start; an id may be one that only one workspace knows. */
export interface WorkflowTargets {
  find: (workspaceId: string, id: string) => Promise<WorkflowTarget | null>;
  list: (workspaceId: string) => Promise<WorkflowTarget[]>;
}

/** How a workflow stands, as its engine says; `missing` when the engine knows no such workflow. */
export type WorkflowState =
  | { status: 'missing' }
  | { status: 'running'; runId: string }
  | { status: 'completed'; result: unknown }
  | {
      status: 'failed' | 'cancelled' | 'terminated' | 'timed_out';
      message: string;
      /** The type of its failure, as its code named it. */
      type?: string;
      details?: JsonValue;
    };

/** The id of the workflow that a tool call starts: the same for every attempt and every run of its turn. */
export function toToolWorkflowId(toolCallKey: string): string {
  return `tool-${toolCallKey}`;
}

/** What a tool answers whose workflow goes on. */
export function toRunningResult(workflowId: string, runId: string | null): JsonObject {
  return { status: 'running', workflowId, runId };
}
