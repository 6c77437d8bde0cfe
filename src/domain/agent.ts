import { z } from 'zod';
import { limitBounds, type TurnLimits } from './limits.ts';
import { attachedConnectorSchema } from './connector.ts';
import { noRules, rulesSchema } from './rules.ts';
import { toolInputSchema, toolSchema } from './tool.ts';

/** How a turn's steps run: as regular activities, or as local activities inside the workflow task. */
export const executionModes = ['inspectable', 'fast'] as const;
export type ExecutionMode = (typeof executionModes)[number];

function limitSchema(name: keyof TurnLimits) {
  return z.int().min(limitBounds[name].min).max(limitBounds[name].max);
}

/** The limits that an agent sets; what is missing has its default. */
export const limitsInputSchema = z.strictObject({
  activityTimeoutMs: limitSchema('activityTimeoutMs').optional(),
  turnTimeoutMs: limitSchema('turnTimeoutMs').optional(),
  maxIterations: limitSchema('maxIterations').optional(),
  contextCharacters: limitSchema('contextCharacters').optional(),
  maxTokens: limitSchema('maxTokens').optional(),
  maxAgentDepth: limitSchema('maxAgentDepth').optional(),
});

const modelConnectionId = z.uuid().nullable();
const toolCallsInText = z.boolean().nullable();

/** An agent as a caller gives it. */
export const agentInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  model: z.string().min(1).max(200),
  instructions: z.string().max(100_000),
  tools: z.array(toolInputSchema).max(1000).default([]),
  limits: limitsInputSchema.default({}),
  execution: z.enum(executionModes).default('inspectable'),
  /** The connection whose key the model is called with; null for the operator's key. */
  modelConnectionId: modelConnectionId.default(null),
  rules: rulesSchema.default(noRules),
  /** Whether `<tool_use>` blocks in the text of an answer are run; null for the default of the model's provider. */
  toolCallsInText: toolCallsInText.default(null),
});
export type AgentInput = z.infer<typeof agentInputSchema>;

type Optional = 'modelConnectionId' | 'rules' | 'toolCallsInText';

/** An agent that is about to be made; what is missing of its newer settings has its default. */
export type AgentDraft = Omit<AgentInput, Optional> & Partial<Pick<AgentInput, Optional>>;

/** A change of an agent: what is named is replaced, the rest stays; makes a new version. */
export const agentChangeSchema = z.strictObject({
  name: agentInputSchema.shape.name.optional(),
  model: agentInputSchema.shape.model.optional(),
  instructions: agentInputSchema.shape.instructions.optional(),
  tools: z.array(toolInputSchema).max(1000).optional(),
  limits: limitsInputSchema.optional(),
  execution: z.enum(executionModes).optional(),
  modelConnectionId: modelConnectionId.optional(),
  rules: rulesSchema.optional(),
  toolCallsInText: toolCallsInText.optional(),
});
export type AgentChange = z.infer<typeof agentChangeSchema>;

/** What one numbered, immutable version of an agent says. */
export const agentVersionSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  version: z.int(),
  name: z.string(),
  model: z.string(),
  instructions: z.string(),
  tools: z.array(toolSchema),
  limits: limitsInputSchema,
  execution: z.enum(executionModes),
  modelConnectionId,
  rules: rulesSchema,
  toolCallsInText,
  /** As they were when the agent was provisioned last. */
  connectors: z.array(attachedConnectorSchema),
  createdAt: z.string(),
});
export type AgentVersion = z.infer<typeof agentVersionSchema>;

/** An agent with what its newest version says. */
export const agentSchema = agentVersionSchema
  .omit({ agentId: true })
  .extend({ versionId: z.string(), updatedAt: z.string() });
export type Agent = z.infer<typeof agentSchema>;
