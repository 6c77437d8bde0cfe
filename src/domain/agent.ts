import { z } from 'zod';
import { limitBounds, type TurnLimits } from './limits.ts';
import { compactionModeSchema, compactionThresholdSchema, summaryModelSchema } from './compaction.ts';
import { attachedConnectorSchema } from './connector.ts';
import type { FieldError } from './errors.ts';
import { fallbackModelsSchema, modelSettingsSchema, storedModelSettingsSchema } from './model-settings.ts';
import { makerSchema, type Maker } from './resource.ts';
import { noRules, rulesInputSchema, rulesSchema } from './rules.ts';
import { pinnedSkillSchema, skillPinsSchema, type PinnedSkill } from './skill.ts';
import type { Tool, ToolInput } from './tool.ts';

/**
 * How the steps of a turn run: each as an activity, or without a workflow until the turn waits for a person or a child, or
 * loses its worker.
 */
export const executionModes = ['inspectable', 'direct'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** The execution mode that a caller asks for. `fast` is accepted until the next release. */
export const askedExecutionSchema = z.enum([...executionModes, 'fast']).meta({
  enum: executionModes,
  description:
    'How the steps of a turn run. The former value `fast` is accepted until the next release, and means `direct`',
});
export type AskedExecution = z.infer<typeof askedExecutionSchema>;

/** Returns the execution mode that is stored for the one that was asked for. */
export function toExecution<Asked extends AskedExecution | undefined>(
  asked: Asked,
): Exclude<Asked, 'fast'> | ExecutionMode {
  return asked === 'fast' ? 'direct' : (asked as Exclude<Asked, 'fast'>);
}

/** Returns the warning about an execution mode that will not be accepted any more; undefined for the others. */
export function findExecutionWarning({
  execution,
}: {
  execution?: AskedExecution | undefined;
}): FieldError | undefined {
  if (execution !== 'fast') return undefined;
  const message = '"fast" is accepted until the next release, and means "direct"';
  return { field: 'execution', message };
}

function limitSchema(name: keyof TurnLimits) {
  return z.int().min(limitBounds[name].min).max(limitBounds[name].max);
}

/** The limits that an agent sets; a missing limit has its default. */
export const limitsInputSchema = z.strictObject({
  activityTimeoutMs: limitSchema('activityTimeoutMs').optional(),
  modelTimeoutMs: limitSchema('modelTimeoutMs').optional(),
  turnTimeoutMs: limitSchema('turnTimeoutMs').optional(),
  startTimeoutMs: limitSchema('startTimeoutMs').optional(),
  absenceTimeoutMs: limitSchema('absenceTimeoutMs').optional(),
  maxIterations: limitSchema('maxIterations').optional(),
  contextCharacters: limitSchema('contextCharacters').optional(),
  maxTokens: limitSchema('maxTokens').optional(),
  maxAgentDepth: limitSchema('maxAgentDepth').optional(),
  approvalTimeoutMs: limitSchema('approvalTimeoutMs').optional(),
});

const modelConnectionId = z.uuid().nullable();
const toolCallsInText = z.boolean().nullable();

/** The fields of a new agent except `tools`, whose schema is in `src/modules/agents`. */
export const agentFields = {
  name: z.string().trim().min(1).max(200),
  model: z.string().min(1).max(200),
  instructions: z.string().max(100_000),
  limits: limitsInputSchema.default({}),
  execution: askedExecutionSchema.default('inspectable'),
  /** The connection whose key the model is called with; null for the operator's key. */
  modelConnectionId: modelConnectionId.default(null),
  fallbackModels: fallbackModelsSchema.default([]),
  modelSettings: modelSettingsSchema.default({}),
  compaction: compactionModeSchema.default('oldest_first'),
  compactionThreshold: compactionThresholdSchema.default(null),
  summaryModel: summaryModelSchema.default(null),
  rules: rulesInputSchema.default(noRules),
  /** Whether tool calls in the text of an answer (docs/models.md) are run; null for the default of the model. */
  toolCallsInText: toolCallsInText.default(null),
  /** The versions of skills that the agent uses. A later version of a skill changes nothing for it. */
  skills: skillPinsSchema.default([]),
};
type AgentFields = z.ZodObject<typeof agentFields>;

/** A new agent with all defaults filled in. Its id is a new one, unless it comes from the key of a request. */
export type AgentInput = z.output<AgentFields> & {
  tools: ToolInput[];
  id?: string;
  owner?: AgentMaker | null;
};

/** The maker of an agent, with the project whose `holdfast push` made it. */
type AgentMaker = Maker & { project?: string };

type Optional =
  | 'modelConnectionId'
  | 'fallbackModels'
  | 'modelSettings'
  | 'compaction'
  | 'compactionThreshold'
  | 'summaryModel'
  | 'rules'
  | 'toolCallsInText';

/** An agent before it is stored; a missing setting has its default. */
export type AgentDraft = Omit<AgentInput, Optional | 'skills'> &
  Partial<Pick<AgentInput, Optional>> & { skills?: PinnedSkill[] };

/** The fields of a change of an agent, without its tools. */
export const agentChangeFields = {
  name: agentFields.name.optional(),
  model: agentFields.model.optional(),
  instructions: agentFields.instructions.optional(),
  limits: limitsInputSchema.optional(),
  execution: askedExecutionSchema.optional(),
  modelConnectionId: modelConnectionId.optional(),
  fallbackModels: fallbackModelsSchema.optional(),
  modelSettings: modelSettingsSchema.optional(),
  compaction: compactionModeSchema.optional(),
  compactionThreshold: compactionThresholdSchema.optional(),
  summaryModel: summaryModelSchema.optional(),
  rules: rulesInputSchema.optional(),
  toolCallsInText: toolCallsInText.optional(),
  skills: skillPinsSchema.optional(),
};

/** A change of an agent: replaces the named fields, and makes a new version. */
export type AgentChange = z.infer<z.ZodObject<typeof agentChangeFields>> & {
  tools?: ToolInput[] | undefined;
};

/** The fields of one numbered, immutable version of an agent, without its tools. */
export const agentVersionFields = {
  id: z.string(),
  agentId: z.string(),
  version: z.int(),
  name: z.string(),
  model: z.string(),
  instructions: z.string(),
  limits: limitsInputSchema,
  execution: z.enum(executionModes),
  modelConnectionId,
  fallbackModels: fallbackModelsSchema,
  modelSettings: storedModelSettingsSchema,
  compaction: compactionModeSchema,
  compactionThreshold: compactionThresholdSchema,
  summaryModel: summaryModelSchema,
  rules: rulesSchema,
  toolCallsInText,
  /** The connectors as they were when the agent was last provisioned. */
  connectors: z.array(attachedConnectorSchema),
  skills: z.array(pinnedSkillSchema),
  createdAt: z.string(),
  /** Null for a version that was made before makers were stored, and for one that was imported. */
  madeBy: makerSchema.nullable(),
};

/** One numbered, immutable version of an agent. */
export type AgentVersion = z.infer<z.ZodObject<typeof agentVersionFields>> & { tools: Tool[] };

/** An agent with the fields of its newest version. */
export type Agent = Omit<AgentVersion, 'agentId' | 'madeBy'> & {
  versionId: string;
  /** The project whose `holdfast push` made the agent; null for an agent that was made otherwise. */
  project: string | null;
  updatedAt: string;
  /** Set on an agent that was just saved, when there are any. */
  warnings?: FieldError[] | undefined;
};
