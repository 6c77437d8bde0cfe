import { z } from 'zod';
import { agentChangeFields, agentFields, agentVersionFields } from '../domain/agent.ts';
import { toolInputSchema, toolSchema } from '../tools/tool-schema.ts';

const toolInputsSchema = z.array(toolInputSchema).max(1000);

/** An agent as a caller gives it. */
export const agentInputSchema = z.strictObject({ ...agentFields, tools: toolInputsSchema.default([]) });

/** A change of an agent: what is named is replaced, the rest stays; makes a new version. */
export const agentChangeSchema = z.strictObject({ ...agentChangeFields, tools: toolInputsSchema.optional() });

/** One numbered, immutable version of an agent. */
export const agentVersionSchema = z.object({ ...agentVersionFields, tools: z.array(toolSchema) });

/** An agent with what its newest version says. */
export const agentSchema = agentVersionSchema.omit({ agentId: true }).extend({
  versionId: z.string(),
  updatedAt: z.string(),
  warnings: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe(
      'Valid fields with which turns would fail now, such as a model without a key; in answers to changes',
    ),
});
