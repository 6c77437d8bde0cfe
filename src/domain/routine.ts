import { z } from 'zod';
import { actorRefSchema } from './actor.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';
import { makerSchema } from './resource.ts';
import { stuckSchema } from './stuck-workflow.ts';
import { workflowLinkSchema } from './workflow-link.ts';
import { personNameSchema } from './person-name.ts';

/** The maximum number of bytes of the text of a document. */
export const mostDocumentBytes = 256 * 1024;

/** A document of the CNCF Serverless Workflow standard, as YAML, as JSON or as an object. */
const documentSchema = z.union([z.string().min(1).max(mostDocumentBytes), jsonObjectSchema]);

/** A new routine: its document, and the agent that it acts as; without one it acts as the agent that starts it. */
export const routineInputSchema = z.strictObject({
  agentId: z.uuid().optional(),
  document: documentSchema,
  actingFor: personNameSchema.optional().describe('The person who becomes the owner of the routine'),
});
export type RoutineInput = z.infer<typeof routineInputSchema>;

/** A new version of a routine. */
export const routineChangeSchema = z.strictObject({
  document: documentSchema,
  agentId: z.uuid().optional(),
  actingFor: personNameSchema.optional().describe('The person who becomes the maker of the version'),
});
export type RoutineChange = z.infer<typeof routineChangeSchema>;

/** A routine with its newest version. `name` and `namespace` are those of its document. */
export const routineSchema = z.object({
  id: z.string(),
  /** Null for a routine that acts as the agent which starts it. */
  agentId: z.string().nullable(),
  namespace: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  version: z.int(),
  /** The version that the document gives itself. */
  documentVersion: z.string(),
  /** The maker of the first version; null when it is not known. */
  owner: makerSchema.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Routine = z.infer<typeof routineSchema>;

/** A routine with its document. */
export const routineDetailsSchema = routineSchema.extend({
  document: jsonObjectSchema,
  /** The flowchart as Mermaid code. */
  mermaid: z.string(),
  /** The flowchart as SVG. */
  svg: z.string(),
});
export type RoutineDetails = z.infer<typeof routineDetailsSchema>;

/** The states of a run. */
export const routineRunStatuses = ['running', 'paused', 'completed', 'faulted', 'cancelled'] as const;
export type RoutineRunStatus = (typeof routineRunStatuses)[number];

/** The state of one step of a run. A step that waits waits for an event, a time, a person or another run. */
const stepStates = ['running', 'waiting', 'completed', 'faulted', 'cancelled', 'skipped'] as const;

/** One step of a run: one execution of a task. */
export const routineStepSchema = z.object({
  /** Numbers the steps of a run in the order in which they began, from 1. */
  number: z.int(),
  /** The JSON Pointer of the task in the document. */
  path: z.string(),
  name: z.string(),
  kind: z.string(),
  state: z.enum(stepStates),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  outputPreview: z.string().nullable(),
  error: jsonObjectSchema.nullable(),
  /** The thing that a step waits for, such as the id of an action that a person decides. */
  waitsFor: z.string().nullable(),
});
export type RoutineStep = z.infer<typeof routineStepSchema>;

/** A run of a routine. Its id is also that of the turn which hosts its calls, approvals and events. */
export const routineRunSchema = z.object({
  id: z.string(),
  routineId: z.string(),
  routineName: z.string(),
  version: z.int(),
  agentId: z.string(),
  conversationId: z.string(),
  parentRunId: z.string().nullable(),
  status: z.enum(routineRunStatuses),
  input: jsonValueSchema,
  output: jsonValueSchema,
  /** The problem of a run that is faulted. */
  error: jsonObjectSchema.nullable(),
  startedBy: actorRefSchema.nullable(),
  /** The turn whose call of `run_routine` has started the run, and its agent; null for a run that no turn has started. */
  callerTurnId: z.string().nullable(),
  callerAgentId: z.string().nullable(),
  createdAt: z.string(),
  settledAt: z.string().nullable(),
});
export type RoutineRun = z.infer<typeof routineRunSchema>;

/** The maximum number of steps that a run shows with itself; `GET /api/routine-runs/:id/steps` pages through all of them. */
export const mostShownSteps = 500;

/** A run with its newest steps. */
export const routineRunDetailsSchema = routineRunSchema.extend({
  steps: z.array(routineStepSchema),
  stuck: stuckSchema.optional(),
});
export type RoutineRunDetails = z.infer<typeof routineRunDetailsSchema>;

/** A run with its newest steps, and where its workflow is. */
export const linkedRunSchema = routineRunDetailsSchema.extend(workflowLinkSchema.shape);

/** The start of a run; with `waitMs` the answer comes when the run has ended, or after that time. */
export const runInputSchema = z.strictObject({
  input: jsonValueSchema.optional(),
  /** The agent that a routine without one acts as. */
  agentId: z.uuid().optional(),
  waitMs: z.int().min(0).max(60_000).optional(),
});

/** How a run is stopped: after the steps that run, or at once. */
export const stopInputSchema = z.strictObject({ mode: z.enum(['graceful', 'now']).default('graceful') });

/** An event by the CloudEvents standard that the runs of a workspace may listen to. */
export const routineEventSchema = z.strictObject({
  id: z.string().min(1).max(256).optional(),
  source: z.string().min(1).max(2_000),
  type: z.string().min(1).max(500),
  subject: z.string().max(2_000).optional(),
  time: z.string().max(100).optional(),
  data: jsonValueSchema.optional(),
});
export type RoutineEvent = z.infer<typeof routineEventSchema>;
